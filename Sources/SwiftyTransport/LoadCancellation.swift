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

    fileprivate struct Guarded {
        /// The requested end; `nil` until then.
        var end: End?
        /// The last handler is stored outside the array, which most loads do not need.
        var last: Entry?
        var others: [Entry] = []
        var count: UInt64 = 0
    }

    fileprivate struct End {
        let code: SwiftyError.Code
        let reason: String?
        let cause: (any Error)?
    }

    private let guarded = Mutex(Guarded())

    /// Makes a cancellation that has not fired.
    public init() {}

    /// The code that the load was cancelled with; `nil` until then.
    public var code: SwiftyError.Code? {
        guarded.withLock { $0.end?.code }
    }

    /// The reason given to ``cancel(with:reason:)``; `nil` if none was given.
    public var reason: String? {
        guarded.withLock { $0.end?.reason }
    }

    /// The canceller's own error, which is the underlying one of the load's; `nil` if it gave none.
    public var cause: (any Error)? {
        guarded.withLock { $0.end?.cause }
    }

    /// Cancels the load. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - code: The code of the error that the load ends with.
    ///   - reason: The reason of that error, which must not contain secrets.
    ///   - cause: The underlying error of that error.
    public func cancel(
        with code: SwiftyError.Code = .cancelled,
        reason: String? = nil,
        cause: (any Error)? = nil
    ) {
        let entries = guarded.withLock { guarded -> [Entry] in
            if guarded.end != nil { return [] }
            guarded.end = End(code: code, reason: reason, cause: cause)
            return guarded.takeAll()
        }
        for entry in entries { entry.handler(code) }
    }

    /// Registers a handler, in addition to those already registered.
    ///
    /// If the load is already cancelled, the handler is called immediately, on the calling thread.
    ///
    /// - Parameter handler: The handler. It must not block: handlers that were registered later are called after it.
    /// - Returns: The registration, for ``remove(_:)`` when the handler is not needed any more.
    public func onCancel(_ handler: @escaping Handler) -> Registration {
        let (registration, code) = guarded.withLock { guarded -> (Registration, SwiftyError.Code?) in
            guarded.count += 1
            let registration = Registration(number: guarded.count)
            if let end = guarded.end { return (registration, end.code) }
            guarded.add(Entry(registration: registration, handler: handler))
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
        // Released outside the lock: a `deinit` of what the handler captures may use this cancellation.
        let removed = guarded.withLock { $0.remove(registration) }
        _ = consume removed
    }
}

extension LoadCancellation.Guarded {
    fileprivate mutating func add(_ entry: LoadCancellation.Entry) {
        if let last { others.append(last) }
        last = entry
    }

    fileprivate mutating func remove(_ registration: LoadCancellation.Registration) -> LoadCancellation.Entry? {
        if last?.registration == registration {
            defer { last = others.popLast() }
            return last
        }
        return others.firstIndex { $0.registration == registration }.map { others.remove(at: $0) }
    }

    /// All handlers, in the order of their registration.
    fileprivate mutating func takeAll() -> [LoadCancellation.Entry] {
        defer { (last, others) = (nil, []) }
        return last.map { others + [$0] } ?? []
    }
}
