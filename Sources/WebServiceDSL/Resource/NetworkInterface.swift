// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import SwiftySupport

/// The bridge between the requests of a ``WebService`` and a network.
///
/// `Swifty` is one. Write your own to use another client with the same API types: make the request from the draft with
/// ``RequestDraft/makeRequest(defaultTimeouts:)``, send it, and return a ``NetworkResponse``. Content that is produced
/// while it is sent is a source (``NetworkRequest/Content``); ``NetworkRequest/collectingContent()`` reads it into
/// memory.
public protocol NetworkInterface: Sendable {
    /// Loads one request.
    ///
    /// Called from any task, any number of times simultaneously, with the task-local values of the load's caller. Must
    /// return in every case, and soon after `cancellation` fires; an error is part of the response.
    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse

    /// Loads a resource, and calls the closure once with the outcome: ``load(_:cancellation:)`` in the form of
    /// Flipkart's Swifty.
    ///
    /// The default implementation calls ``load(_:cancellation:)``. An interface that was written for Flipkart's Swifty
    /// implements this method in its place; see Docs/Migration.md.
    func loadResource(resource: NetworkResource, completion: @escaping @Sendable (NetworkResponse) -> Void)

    /// Loads one request, and returns as soon as the head of its response is accepted; the content is read from the
    /// result.
    ///
    /// The load ends with its content: `cancellation` ends it until then. Everything before is as in
    /// ``load(_:cancellation:)``. The default implementation holds the content in memory.
    ///
    /// - Throws: ``SwiftyError`` if the load fails before its content.
    func stream(_ draft: RequestDraft, cancellation: LoadCancellation) async throws(SwiftyError) -> ResponseStream

    /// Explains what a load of the draft would send, and the stages that it would pass; sends nothing.
    ///
    /// The default implementation explains the draft alone.
    ///
    /// - Throws: ``SwiftyError`` if a load of the draft would fail before anything is sent.
    func explain(_ draft: RequestDraft) async throws(SwiftyError) -> RequestExplanation

    /// Changes the priority of a load that waits to be sent. Has no effect if the interface does not order loads.
    func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation)

    /// The queue of completion closures, unless the request names one with `deliver(on:)`.
    var deliveryQueue: DispatchQueue { get }

    /// Calls a closure of a load on a queue. Called in a task with the task-local values of the load's caller.
    func deliver(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)

    /// The clock of everything that waits: limits, retries, pauses, rates. A test's own clock makes them virtual.
    var clock: any Clock<Duration> { get }

    /// The folder that is searched first for mock files; `nil` if the interface has none.
    var mockDirectory: String? { get }

    /// Whether the interface sends with the transport of the draft's scope, if there is one.
    ///
    /// `true` for a `Swifty`, and for an interface that hands its drafts to one.
    var usesScopedTransports: Bool { get }
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

    /// Loads the request with ``load(_:cancellation:)``, and streams the content from memory.
    public func stream(
        _ draft: RequestDraft,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> ResponseStream {
        let response = await load(draft, cancellation: cancellation)
        if let error = response.error { throw error }
        return ResponseStream(buffered: response)
    }

    /// Explains the draft, with the type of the interface as the only stage.
    public func explain(_ draft: RequestDraft) async throws(SwiftyError) -> RequestExplanation {
        try await RequestExplanation(draft, stages: ["network interface: \(type(of: self))"]) { _ in }
    }

    /// Does nothing.
    public func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {}

    /// Calls the closure on the queue, asynchronously, with the task-local values of the load's caller.
    public func deliver(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        Task(executorPreference: QueueExecutor(queue)) { body() }
    }

    /// The system's clock.
    public var clock: any Clock<Duration> { ContinuousClock() }

    /// `nil`: mock files are searched for in the other folders.
    public var mockDirectory: String? { nil }

    /// `false`: within ``withTransport(_:for:_:)``, loads fail.
    public var usesScopedTransports: Bool { false }
}
