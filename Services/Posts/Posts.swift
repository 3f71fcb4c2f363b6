@main
struct PostsMain {
    static func main() {}
}
