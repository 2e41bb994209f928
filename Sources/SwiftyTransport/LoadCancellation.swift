// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The one way to end a load early.
///
/// The cancellation of the Swift task or of the `LoadTask`, and the shutdown of a whole `Swifty`, call
/// ``cancel(with:reason:)``. The stages of the pipeline that hold the load at that moment have registered with
/// ``onCancel(_:)``, and release it. One cancellation may be given to several loads, and ends them all. May be used
/// from any thread.
public final class LoadCancellation: Sendable {
    /// Called once, when the load is cancelled, with the code of the error that the load ends with.
    public typealias Handler = @Sendable (SwiftyError.Code) -> Void

    /// A handler that was registered, for ``remove(_:)``.
    public struct Registration: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    fileprivate struct Entry {
        let registration: Registration
        let handler: Handler
    }

    fileprivate enum State {
        /// The last handler lies outside of the array, which most loads do not need.
        case active(last: Entry?, others: [Entry])
        case cancelled(SwiftyError.Code, reason: String?)
    }

    private struct Guarded {
        var state = State.active(last: nil, others: [])
        var count: UInt64 = 0
    }

    private let guarded = Mutex(Guarded())

    /// Makes a cancellation that has not fired.
    public init() {}

    /// The code that the load was cancelled with; `nil` until then.
    public var code: SwiftyError.Code? {
        guarded.withLock { guarded in
            if case .cancelled(let code, _) = guarded.state { code } else { nil }
        }
    }

    /// The reason given to ``cancel(with:reason:)``; `nil` if none was given.
    public var reason: String? {
        guarded.withLock { guarded in
            if case .cancelled(_, let reason) = guarded.state { reason } else { nil }
        }
    }

    /// Cancels the load. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - code: The code of the error that the load ends with.
    ///   - reason: The reason of that error, which must not contain secrets.
    public func cancel(with code: SwiftyError.Code = .cancelled, reason: String? = nil) {
        let (last, others): (Entry?, [Entry]) = guarded.withLock { guarded in
            guard case .active(let last, let others) = guarded.state else { return (nil, []) }
            guarded.state = .cancelled(code, reason: reason)
            return (last, others)
        }
        for entry in others { entry.handler(code) }
        last?.handler(code)
    }

    /// Registers a handler, beside those that are registered already.
    ///
    /// If the load is already cancelled, the handler is called immediately, on the calling thread.
    ///
    /// - Parameter handler: The handler. It must not block: those that were registered after it are called behind it.
    /// - Returns: The registration, for ``remove(_:)`` when the handler is not needed any more.
    public func onCancel(_ handler: @escaping Handler) -> Registration {
        let (registration, code) = guarded.withLock { guarded -> (Registration, SwiftyError.Code?) in
            guarded.count += 1
            let registration = Registration(number: guarded.count)
            guarded.state.add(Entry(registration: registration, handler: handler))
            if case .cancelled(let code, _) = guarded.state { return (registration, code) }
            return (registration, nil)
        }
        if let code { handler(code) }
        return registration
    }

    /// Removes a handler. It may still be running on another thread when this method returns.
    ///
    /// - Parameter registration: The result of ``onCancel(_:)`` of this cancellation; `nil`, or one that was removed,
    ///   changes nothing.
    public func remove(_ registration: Registration?) {
        guard let registration else { return }
        // Released outside of the lock: what a handler holds may use this cancellation at its end.
        let removed = guarded.withLock { $0.state.remove(registration) }
        _ = consume removed
    }
}

extension LoadCancellation.State {
    fileprivate mutating func add(_ entry: LoadCancellation.Entry) {
        guard case .active(let last, var others) = self else { return }
        if let last { others.append(last) }
        self = .active(last: entry, others: others)
    }

    fileprivate mutating func remove(_ registration: LoadCancellation.Registration) -> LoadCancellation.Entry? {
        guard case .active(let last, var others) = self else { return nil }
        if let last, last.registration == registration {
            let previous = others.popLast()
            self = .active(last: previous, others: others)
            return last
        }
        guard let index = others.firstIndex(where: { $0.registration == registration }) else { return nil }
        let removed = others.remove(at: index)
        self = .active(last: last, others: others)
        return removed
    }
}
