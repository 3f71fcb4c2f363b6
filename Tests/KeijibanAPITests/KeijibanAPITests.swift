// KeijibanAPITests
