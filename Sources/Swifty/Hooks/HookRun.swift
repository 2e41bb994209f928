// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The run of a hook, or of several in a row, in a separate task.
final class HookRun<Value: Sendable>: Sendable {
    private struct State {
        var index = 0
        var result: Result<Value, SwiftyError>?
        var waiter: CheckedContinuation<Result<Value, SwiftyError>, Never>?
    }

    private let state = Mutex(State())

    /// The index of the hook that is running, among several.
    var index: Int {
        get { state.withLock { $0.index } }
        set { state.withLock { $0.index = newValue } }
    }

    /// The result; `nil` until the run has ended.
    var result: Result<Value, SwiftyError>? { state.withLock { $0.result } }

    /// Ends the run. Only the first call has an effect.
    ///
    /// - Returns: `true` for the first call.
    @discardableResult
    func end(_ result: Result<Value, SwiftyError>) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            if state.result != nil { return (false, nil as CheckedContinuation<Result<Value, SwiftyError>, Never>?) }
            state.result = result
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: result)
        return isFirst
    }

    /// Waits for the end, once.
    func value() async -> Result<Value, SwiftyError> {
        // For a continuation that was resumed already; see Docs/Decisions/0002-thread-sanitizer.md.
        #if SWIFTY_THREAD_SANITIZER
        defer { state.withLock { _ in } }
        #endif
        return await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}

/// The name of a hook in reports.
enum HookName: Sendable {
    case fixed(StaticString)
    case requestInterceptors([any RequestInterceptor])
    case responseInterceptors([any ResponseInterceptor])
    case signers([any RequestSigner])
    case typeName(of: any Sendable)

    /// The name of one of several hooks.
    func text(_ index: Int) -> String {
        switch self {
        case .fixed(let name): "\(name)"
        case .requestInterceptors(let interceptors): "\(type(of: interceptors[index]))"
        case .responseInterceptors(let interceptors): "\(type(of: interceptors[index]))"
        case .signers(let signers): "\(type(of: signers[index]))"
        case .typeName(let hook): "\(type(of: hook))"
        }
    }
}
