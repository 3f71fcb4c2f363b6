import FoundationEssentials
import Glibc

extension Telemetry {
    /// Adds what the operating system says about this process, under the names that Prometheus gives it.
    func collectProcess() {
        self.set(.startTime, Date().timeIntervalSince1970)
        self.collect { telemetry in
            if let pages = Self.words(of: "/proc/self/statm").dropFirst().first.flatMap({ Int($0) }) {
                telemetry.set(.residentMemory, pages * sysconf(Int32(_SC_PAGESIZE)))
            }
            if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                telemetry.set(.openFiles, files.count)
            }
            telemetry.set(.cpuTime, Double(clock()) / Double(CLOCKS_PER_SEC))
        }
    }

    private static func words(of path: String) -> [Substring] {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self).split(separator: " ")
    }
}
