@main
struct ThreadsMain {
    static func main() {}
}
