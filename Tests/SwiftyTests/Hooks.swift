// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import Synchronization

/// A request interceptor made of a closure.
struct RequestHook: RequestInterceptor {
    let body: @Sendable (NetworkResource) async throws -> NetworkResource

    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        try await body(resource)
    }
}

/// A response interceptor made of a closure.
struct ResponseHook: ResponseInterceptor {
    let body: @Sendable (NetworkResponse) async throws -> NetworkResponse

    func intercept(response: NetworkResponse) async throws -> NetworkResponse {
        try await body(response)
    }
}

/// A constraint that is satisfied by a closure, and counts.
final class TestConstraint: Constraint, @unchecked Sendable {
    private struct State {
        var isSatisfied = false
        var asked = 0
        var flights = 0
    }

    private let state = Mutex(State())
    private let satisfy: @Sendable (TestConstraint) -> Void
    private let limit: Duration

    init(timeout: Duration = .seconds(900), satisfy: @escaping @Sendable (TestConstraint) -> Void) {
        self.satisfy = satisfy
        self.limit = timeout
    }

    /// As the seed's tests have it: blocks its thread for a while.
    convenience init(sleeping interval: TimeInterval, error: (any Error)? = nil) {
        self.init { constraint in
            Thread.sleep(forTimeInterval: interval)
            constraint.isSatisfied = error == nil
            constraint.finish(with: error)
        }
    }

    var isSatisfied: Bool {
        get { state.withLock { $0.isSatisfied } }
        set { state.withLock { $0.isSatisfied = newValue } }
    }

    var flights: Int { state.withLock { $0.flights } }
    var asked: Int { state.withLock { $0.asked } }

    override var timeout: Duration { limit }

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        state.withLock { state in
            state.asked += 1
            return state.isSatisfied
        }
    }

    override func satisfyConstraint(for resource: NetworkResource) {
        state.withLock { $0.flights += 1 }
        satisfy(self)
    }
}

/// Something that a test waits for without a clock.
final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let state = Mutex(0)
    var value: Int { state.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        state.withLock { state in
            state += 1
            return state
        }
    }
}

/// Waits until something is true; what never becomes true fails by the suite's time limit.
func until(_ condition: @Sendable () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
}

extension Swifty {
    /// A start for requests to a server that is never contacted.
    var api: BaseResource { BaseResource("https://api.example.com", networkInterface: self) }
}

/// Lets a hook know the `Swifty` that it belongs to.
final class Box: Sendable {
    private let state = Mutex<Swifty?>(nil)

    var swifty: Swifty? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension NetworkRequest {
    /// The values of the header fields of a name, in order.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.canonicalName == name.lowercased() }.map(\.value)
    }
}
