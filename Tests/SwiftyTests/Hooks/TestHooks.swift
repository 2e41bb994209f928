// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import Synchronization
import TestSupport

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

/// An observer that records names of events.
final class EventNames: Swifty.Observer {
    private let recording = Recording<String>()
    private let name: @Sendable (Swifty.Event, Swifty.ObservedLoad) -> String?

    /// - Parameter name: The name of an event; `nil` does not record it.
    init(_ name: @escaping @Sendable (Swifty.Event, Swifty.ObservedLoad) -> String?) {
        self.name = name
    }

    var all: [String] { recording.values }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        if let name = name(event, load) { recording.append(name) }
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

    /// Blocks its thread for a while, as the constraints of Flipkart's tests do.
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

extension Swifty {
    /// A base for requests to a server that is never contacted.
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
