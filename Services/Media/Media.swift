@main
struct MediaMain {
    static func main() {}
}
