// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import Synchronization

/// Draws the progress of a transfer on one line of standard error, at most ten times a second.
final class ProgressBar: Sendable {
    private struct State {
        var rate = TransferRate()
        var isDrawing = false
        var isDrawn = false
        var isFinished = false
    }

    private let state = Mutex(State())
    /// A terminal may block; the reporting thread must not.
    private let queue = DispatchQueue(label: "swifty.progress")

    func watch(_ resource: NetworkResource) {
        resource.onProgress(every: .milliseconds(100)) { self.report($0) }
    }

    /// Draws the progress, unless the previous one is still being drawn.
    private func report(_ progress: TransferProgress) {
        let now = ContinuousClock.now
        let text = state.withLock { state -> String? in
            let line = state.rate.line(progress, at: now)
            guard let line, !state.isDrawing, !state.isFinished else { return nil }
            (state.isDrawing, state.isDrawn) = (true, true)
            return line
        }
        guard let text else { return }
        queue.async {
            Console.writeError("\r\u{1B}[K\(text)")
            self.state.withLock { $0.isDrawing = false }
        }
    }

    /// Removes the line.
    func finish() {
        let isDrawn = state.withLock { state in
            state.isFinished = true
            return state.isDrawn
        }
        if isDrawn { queue.sync { Console.writeError("\r\u{1B}[K") } }
    }
}

/// The rate of a transfer, first of the request's content and then of the response's.
private struct TransferRate {
    private var start: (time: ContinuousClock.Instant, count: Int)?
    private var isReceiving = false

    /// The line that shows the progress; `nil` if nothing has been transferred.
    mutating func line(_ progress: TransferProgress, at now: ContinuousClock.Instant) -> String? {
        if progress.received > 0, !isReceiving { (isReceiving, start) = (true, nil) }
        let count = isReceiving ? progress.received : progress.sent
        // Bytes that were already on the disk do not count for the rate.
        let start = start ?? (now, count)
        self.start = start
        if count == 0 { return nil }
        return ProgressLine.text(
            transferred: count,
            total: isReceiving ? progress.bytesToReceive : progress.bytesToSend,
            before: start.count,
            elapsed: (now - start.time) / .seconds(1),
            columns: Terminal.columns
        )
    }
}

/// The progress line of a transfer: bytes of the total, share, rate, time left.
enum ProgressLine {
    /// - Parameters:
    ///   - transferred: The number of bytes so far.
    ///   - total: The number of bytes in the whole content; `nil` if it is unknown.
    ///   - before: The number of bytes that had been transferred when the time began.
    ///   - elapsed: The seconds since then.
    static func text(transferred: Int, total: Int?, before: Int = 0, elapsed: Double, columns: Int) -> String {
        let rate = elapsed > 0 ? Double(transferred - before) / elapsed : 0
        let speed = "\(ByteText.text(Int(rate)))/s"
        guard let total, total > 0 else {
            return String("\(ByteText.text(transferred)) \(speed) \(clock(elapsed))".prefix(columns - 1))
        }
        let share = min(1, Double(transferred) / Double(total))
        let counts = "\(ByteText.text(transferred))/\(ByteText.text(total))"
        var text = String(format: "%3ld%% ", Int(share * 100)) + "\(counts) \(speed)"
        if rate > 0 { text += " \(clock(Double(max(0, total - transferred)) / rate)) left" }
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
        return String(format: "%ld:%02ld", seconds / 60, seconds % 60)
    }
}

/// Numbers of bytes with a unit, for people.
enum ByteText {
    static func exact(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    static func text(_ count: Int) -> String {
        var (value, unit) = (Double(max(0, count)), "B")
        for larger in ["KiB", "MiB", "GiB"] where value >= 1024 {
            (value, unit) = (value / 1024, larger)
        }
        return unit == "B" ? "\(Int(value)) B" : "\((value * 10).rounded() / 10) \(unit)"
    }
}
