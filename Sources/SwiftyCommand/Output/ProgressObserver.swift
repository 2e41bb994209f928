// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Draws the progress of a transfer on standard error, at most ten times a second.
final class ProgressObserver: Swifty.Observer {
    private struct State {
        var start: ContinuousClock.Instant?
        var drawn: ContinuousClock.Instant?
        var total: Int?
    }

    private let state = Mutex(State())

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        switch event {
        case .transfer(.progress(_, let received)) where received > 0: draw(received)
        case .transfer(.responseHead(_, let contentLength)): begin(contentLength)
        case .attemptStarted, .redirected: state.withLock { $0 = State(drawn: $0.drawn) }
        default: break
        }
    }

    /// Removes the line.
    func finish() {
        if state.withLock({ $0.drawn }) != nil { Console.writeError("\r\u{1B}[K") }
    }

    private func begin(_ contentLength: Int?) {
        state.withLock { state in
            state.start = .now
            state.total = contentLength
        }
    }

    private func draw(_ received: Int) {
        let now = ContinuousClock.now
        let text = state.withLock { state -> String? in
            let start = state.start ?? now
            state.start = start
            if let drawn = state.drawn, now - drawn < .milliseconds(100) { return nil }
            state.drawn = now
            let elapsed = (now - start) / .seconds(1)
            return ProgressLine.text(
                received: received,
                total: state.total,
                elapsed: elapsed,
                columns: Terminal.columns
            )
        }
        if let text { Console.writeError("\r\u{1B}[K\(text)") }
    }
}

/// The progress line of a transfer: bytes, share, rate, time left.
enum ProgressLine {
    /// - Parameters:
    ///   - total: The number of bytes in the whole content; `nil` if it is unknown.
    ///   - elapsed: The seconds since the head arrived.
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

/// Numbers of bytes with a unit, for people.
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
