// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Handles Ctrl-C: cancels the loads in flight, and ends the process if that takes two seconds or Ctrl-C is pressed
/// again.
final class Interruption: Sendable {
    static let shared = Interruption()

    private struct State {
        var wasInterrupted = false
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let source: Mutex<any DispatchSourceSignal>

    private init() {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: DispatchQueue(label: "swifty.interruption"))
        // Not `self`, which is not initialized yet.
        source.setEventHandler { Interruption.shared.interrupt() }
        source.activate()
        self.source = Mutex(source)
    }

    /// Whether Ctrl-C was pressed.
    var wasInterrupted: Bool { state.withLock { $0.wasInterrupted } }

    /// Calls the handler when Ctrl-C is pressed; immediately if it already was.
    func onInterrupt(_ handler: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.handlers.append(handler)
            return state.wasInterrupted
        }
        if isLate { handler() }
    }

    private func interrupt() {
        let (isSecond, handlers) = state.withLock { state in
            defer { state.wasInterrupted = true }
            return (state.wasInterrupted, state.handlers)
        }
        if isSecond { _exit(ExitStatus.interrupted.rawValue) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { _exit(ExitStatus.interrupted.rawValue) }
        for handler in handlers { handler() }
    }
}
