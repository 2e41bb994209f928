// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Draws the progress of a transfer on standard error, ten times a second at most.
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
