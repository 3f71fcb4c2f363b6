import Foundation

/// What an untitled daily report is called.
public enum DailyReportTitle {
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? TimeZone(secondsFromGMT: 9 * 3_600) ?? .gmt
        return calendar
    }()

    /// `M月d日の日報` of a moment, in Japan.
    public static func text(of date: Timestamp) -> String {
        let day = self.calendar.dateComponents([.month, .day], from: date.date)
        return "\(day.month ?? 0)月\(day.day ?? 0)日の日報"
    }
}
