// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The one way by which a load is ended early.
///
/// Cancelling the Swift task, the `LoadTask`, a timed-out deadline and the shutdown of a whole `Swifty` all call
/// ``cancel(with:)``; whichever part of the pipeline holds the load at that moment has registered with
/// ``onCancel(_:)`` and lets go of it. May be used from any thread.
public final class LoadCancellation: Sendable {
    /// What is called when the load is cancelled; gets the code of the error that the load ends with.
    public typealias Handler = @Sendable (SwiftyError.Code) -> Void

    private enum State {
        case active(Handler?)
        case cancelled(SwiftyError.Code, reason: String?)
    }

    private let state = Mutex(State.active(nil))

    /// Makes a cancellation that has not happened.
    public init() {}

    /// The code that the load was cancelled with; `nil` while it is not.
    public var code: SwiftyError.Code? {
        state.withLock { state in
            if case .cancelled(let code, _) = state { code } else { nil }
        }
    }

    /// Why the load was cancelled, in the words of whoever did; `nil` if nothing was said.
    public var reason: String? {
        state.withLock { state in
            if case .cancelled(_, let reason) = state { reason } else { nil }
        }
    }

    /// Cancels the load. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - code: the code of the error that the load ends with.
    ///   - reason: what that error says; must not hold secrets.
    public func cancel(with code: SwiftyError.Code = .cancelled, reason: String? = nil) {
        let handler: Handler? = state.withLock { state in
            guard case .active(let handler) = state else { return nil }
            state = .cancelled(code, reason: reason)
            return handler
        }
        handler?(code)
    }

    /// Registers the handler of the stage that now holds the load, in place of the one before.
    ///
    /// If the load is already cancelled, the handler is called at once, on the calling thread. Pass `nil` when the stage
    /// is done with the load. A handler may still be running on another thread when this method returns.
    public func onCancel(_ handler: Handler?) {
        let code: SwiftyError.Code? = state.withLock { state in
            switch state {
            case .cancelled(let code, _):
                return code
            case .active:
                state = .active(handler)
                return nil
            }
        }
        if let code { handler?(code) }
    }
}
