@main
struct LikesMain {
    static func main() {}
}
