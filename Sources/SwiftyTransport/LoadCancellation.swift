// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The one way to end a load early.
///
/// The cancellation of the Swift task or of the `LoadTask`, and the shutdown of a whole `Swifty`, call
/// ``cancel(with:reason:)``. The stage of the pipeline that holds the load at that moment has registered with
/// ``onCancel(_:)``, and releases it. May be used from any thread.
public final class LoadCancellation: Sendable {
    /// Called when the load is cancelled, with the code of the error that the load ends with.
    public typealias Handler = @Sendable (SwiftyError.Code) -> Void

    private enum State {
        case active(Handler?)
        case cancelled(SwiftyError.Code, reason: String?)
    }

    private let state = Mutex(State.active(nil))

    /// Makes a cancellation that has not fired.
    public init() {}

    /// The code that the load was cancelled with; `nil` until then.
    public var code: SwiftyError.Code? {
        state.withLock { state in
            if case .cancelled(let code, _) = state { code } else { nil }
        }
    }

    /// The reason given to ``cancel(with:reason:)``; `nil` if none was given.
    public var reason: String? {
        state.withLock { state in
            if case .cancelled(_, let reason) = state { reason } else { nil }
        }
    }

    /// Cancels the load. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - code: The code of the error that the load ends with.
    ///   - reason: The reason of that error, which must not contain secrets.
    public func cancel(with code: SwiftyError.Code = .cancelled, reason: String? = nil) {
        let handler: Handler? = state.withLock { state in
            guard case .active(let handler) = state else { return nil }
            state = .cancelled(code, reason: reason)
            return handler
        }
        handler?(code)
    }

    /// Registers the handler of the stage that now holds the load, in place of the previous one.
    ///
    /// If the load is already cancelled, the handler is called immediately, on the calling thread. A stage passes `nil`
    /// when it releases the load. The previous handler may still be running on another thread when this method returns.
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
