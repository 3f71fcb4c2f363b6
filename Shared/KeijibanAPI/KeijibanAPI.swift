// KeijibanAPI
