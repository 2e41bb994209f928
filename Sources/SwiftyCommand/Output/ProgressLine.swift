// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The line that shows how far a transfer is: bytes, share, rate, time left.
enum ProgressLine {
    /// - Parameters:
    ///   - total: the number of bytes to come in all; `nil` if it is not known.
    ///   - elapsed: seconds since the head arrived.
    static func text(received: Int, total: Int?, elapsed: Double, columns: Int) -> String {
        let rate = elapsed > 0 ? Double(received) / elapsed : 0
        var text = "\(ByteText.text(received)) \(ByteText.text(Int(rate)))/s"
        guard let total, total > 0 else { return String("\(text) \(clock(elapsed))".prefix(columns - 1)) }
        let share = min(1, Double(received) / Double(total))
        text = "\(Int(share * 100))%".leftPadded(to: 4) + " \(text)"
        if rate > 0 { text += " \(clock(Double(max(0, total - received)) / rate)) left" }
        return String((bar(share, width: min(30, columns - text.count - 4)) + text).prefix(columns - 1))
    }

    private static func bar(_ share: Double, width: Int) -> String {
        guard width > 4 else { return "" }
        let filled = Int(share * Double(width))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "] "
    }

    /// Minutes and seconds.
    static func clock(_ seconds: Double) -> String {
        let seconds = Int(min(max(seconds, 0), 359_999).rounded(.up))
        let rest = "\(seconds % 60)"
        return "\(seconds / 60):\(rest.count < 2 ? "0" : "")\(rest)"
    }
}

/// Numbers of bytes as people read them.
enum ByteText {
    static func text(_ count: Int) -> String {
        var value = Double(max(0, count))
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if value < 1024 || unit == "GiB" {
                return unit == "B" ? "\(Int(value)) B" : "\((value * 10).rounded() / 10) \(unit)"
            }
            value /= 1024
        }
        return "\(count) B"
    }
}
