/// What the person at the terminal reads: few lines, each written whole.
enum Terminal {
    static func say(_ line: String) {
        Descriptor.standardOutput.write("\(line)\n".utf8)
    }

    static func warn(_ line: String) {
        Descriptor.standardError.write("\(line)\n".utf8)
    }
}
