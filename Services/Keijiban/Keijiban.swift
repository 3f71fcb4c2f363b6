@main
struct KeijibanMain {
    static func main() {}
}
