// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// What loads the requests of a ``WebService``: the one bridge between the DSL and a network.
///
/// `Swifty` is one. Write your own to put another client behind the same API types: take the request from the draft with
/// ``RequestDraft/makeRequest(defaultTimeouts:)``, send it, and return a ``NetworkResponse``.
public protocol NetworkInterface: Sendable {
    /// Loads one request.
    ///
    /// May be called from any task, any number of times at once. Must return in every case, with an error in the response
    /// if there is one, and soon after `cancellation` fires. It is called with the caller's task-local values.
    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse

    /// Changes how urgent a load is that waits to be sent. Has no effect if the interface does not order loads.
    func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation)

    /// The queue on which closures are called that name none with `deliver(on:)`.
    var deliveryQueue: DispatchQueue { get }

    /// Calls a closure of a load on a queue. Called in a task that has the task-local values of the load's caller.
    func deliver(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)

    /// The folder in which mock files are looked for first; `nil` if the interface has none.
    var mockDirectory: String? { get }
}

extension NetworkInterface {
    /// The main queue on Apple's systems; elsewhere a concurrent queue, because a server's main queue may never run.
    public var deliveryQueue: DispatchQueue {
        #if canImport(Darwin)
        .main
        #else
        .global()
        #endif
    }

    /// Does nothing.
    public func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {}

    /// Calls the closure on the queue, asynchronously.
    public func deliver(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    /// None: mock files are found by the other rules.
    public var mockDirectory: String? { nil }
}
