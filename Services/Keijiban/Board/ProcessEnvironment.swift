internal import Foundation

/// The environment that this process was started with, and where its own file lies.
enum ProcessEnvironment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }

    /// This program's own file.
    static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    }
}
