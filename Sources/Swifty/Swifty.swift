// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// The default network interface: constraints, interceptors, and a libcurl transport made for Linux servers.
///
///     final class GitHub: WebService {
///         static let serverURL = "https://api.github.com"
///         static let networkInterface: any NetworkInterface = Swifty(
///             constraints: [OAuthConstraint()],
///             requestInterceptors: [TokenInterceptor()],
///             responseInterceptors: [SessionInterceptor()])
///     }
///
/// Every load takes the same way: constraints → request interceptors → transport → status validation → response
/// interceptors → the caller. Several instances live side by side; unless they are given transports of their own, they
/// share one, and with it its connections. All methods may be called from any thread.
public final class Swifty: NetworkInterface {
    /// A `Swifty` without constraints and interceptors.
    public static let shared = Swifty()

    private let pipeline: LoadPipeline
    private let transport: any Transport
    /// Whether others use the transport, too.
    private let sharesTransport: Bool
    private let activeLoads = ActiveLoads()

    /// The queue on which closures are called that name none with `deliver(on:)`.
    public let deliveryQueue: DispatchQueue

    /// Makes a network interface over libcurl.
    ///
    /// - Parameters:
    ///   - configuration: Policies and hooks; see ``Configuration``.
    ///   - transport: TLS trust, proxy, addresses, connection limits and response rules. All instances with the default
    ///     settings share one transport. Others have one, and so connections, of their own, which is shut down together with
    ///     the instance.
    public convenience init(
        configuration: Configuration = Configuration(),
        transport: TransportSettings = TransportSettings()
    ) {
        let isShared = transport == TransportSettings()
        self.init(
            configuration,
            carrier: isShared ? DefaultTransport.shared : DefaultTransport.make(transport),
            isShared: isShared
        )
    }

    /// Makes a network interface over another transport, which has settings of its own.
    ///
    /// - Parameters:
    ///   - configuration: Policies and hooks; see ``Configuration``.
    ///   - transport: What carries the requests. It is shut down together with this instance.
    public convenience init(configuration: Configuration = Configuration(), transport: any Transport) {
        self.init(configuration, carrier: transport, isShared: false)
    }

    /// Makes a network interface over libcurl, and sets what differs from the default configuration.
    ///
    ///     let swifty = Swifty { $0.retry = .standard }
    ///
    /// - Parameters:
    ///   - transport: As in ``init(configuration:transport:)-(_,TransportSettings)``.
    ///   - configure: Changes the default configuration; called once, before this returns.
    /// - Throws: What the closure throws.
    public convenience init(
        transport: TransportSettings = TransportSettings(),
        configure: (inout Configuration) throws -> Void
    ) rethrows {
        var configuration = Configuration()
        try configure(&configuration)
        self.init(configuration: configuration, transport: transport)
    }

    /// Makes a network interface over another transport, and sets what differs from the default configuration.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests. It is shut down together with this instance.
    ///   - configure: Changes the default configuration; called once, before this returns.
    /// - Throws: What the closure throws.
    public convenience init(
        transport: any Transport,
        configure: (inout Configuration) throws -> Void
    ) rethrows {
        var configuration = Configuration()
        try configure(&configuration)
        self.init(configuration: configuration, transport: transport)
    }

    private init(_ configuration: Configuration, carrier: any Transport, isShared: Bool) {
        transport = configuration.coalesces ? CoalescingTransport(carrier, shutsDownTransport: !isShared) : carrier
        sharesTransport = isShared && !configuration.coalesces
        deliveryQueue = configuration.deliveryQueue ?? Self.defaultDeliveryQueue()
        pipeline = LoadPipeline(configuration: configuration, transport: transport)
    }

    /// The folder in which mock files are looked for first.
    public var mockDirectory: String? { pipeline.configuration.mockDirectory }

    /// Loads one request; see ``NetworkInterface``.
    @concurrent
    public func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        guard let ticket = activeLoads.insert(cancellation, tags: draft.tags) else {
            return NetworkResponse(error: Self.shutdownError(draft))
        }
        let load = Load(
            id: ticket.number,
            draft: draft,
            interface: self,
            cancellation: cancellation,
            timeouts: pipeline.configuration.timeouts,
            clock: pipeline.clock
        )
        let response = await isPartOfFlight(draft) ? runInFlight(load) : pipeline.run(load)
        activeLoads.remove(ticket, response.error, attempts: load.state.metrics.attempts.count)
        return response
    }

    /// Whether the load was called inside of a method that satisfies a constraint, and does not know of it any more.
    @inline(__always)
    private func isPartOfFlight(_ draft: RequestDraft) -> Bool {
        !pipeline.constraints.isEmpty && Constraint.isSatisfyingMethod(draft.caller) && Constraint.flights.isEmpty
    }

    // A cold path; see LoadPipeline+ColdPaths.swift.
    @inline(never)
    private func runInFlight(_ load: Load) async -> NetworkResponse {
        let board = pipeline.constraints.first?.board
        let makers = load.state.draft.caller.flatMap { board?.flights(ofLoadIn: $0) }
        return await Constraint.$flights.withValue(makers?.known ?? [:]) {
            await Constraint.$possibleFlights.withValue(makers?.possible ?? []) { await pipeline.run(load) }
        }
    }

    /// Changes how urgent a load is that waits for admission; see ``AdmissionPolicy``.
    public func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {
        pipeline.admissions.setPriority(priority, of: load)
    }

    /// Calls a closure of a load on a queue.
    ///
    /// What it loads there belongs to the same flights of constraints as the load itself, and is not held by them.
    public func deliver(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        let flights = Constraint.flights
        if flights.isEmpty { return queue.async(execute: body) }
        queue.async { Constraint.$flights.withValue(flights) { body() } }
    }

    private static func shutdownError(_ draft: RequestDraft) -> SwiftyError {
        var error = SwiftyError(.shutdown, stage: .queue, reason: "this Swifty was shut down")
        error.request = draft.summary
        return error
    }

    private static func defaultDeliveryQueue() -> DispatchQueue {
        #if canImport(Darwin)
        .main
        #else
        DispatchQueue(label: "swifty.delivery", attributes: .concurrent)
        #endif
    }
}

extension Swifty {
    /// What the loads of this instance have come to, and how many are in flight. May be read at any time.
    public var statistics: Statistics {
        var statistics = activeLoads.statistics
        statistics.hooksLeftBehind = pipeline.watchdog.leftBehind
        return statistics
    }

    /// How many loads wait for admission and how many are in flight, overall and by host.
    public var admissionStatistics: AdmissionStatistics { pipeline.admissions.statistics }

    /// Sends nothing more until ``resume()``; what is in flight goes on. Waiting loads can be cancelled and time out.
    public func pause() {
        pipeline.admissions.pause()
    }

    /// Goes on after ``pause()``.
    public func resume() {
        pipeline.admissions.resume()
    }

    /// The quality of the network, as measured from this instance's transfers.
    public var networkQuality: AdmissionPolicy.NetworkQuality { pipeline.admissions.quality }

    /// The quality of the way to one origin, as in `https://example.com`: an absolute URL, whose path does not matter.
    ///
    /// It is ``AdmissionPolicy/NetworkQuality/unknown`` for what is no `http` or `https` URL.
    public func networkQuality(of origin: String) -> AdmissionPolicy.NetworkQuality {
        guard let target = try? TargetURI(origin) else { return .unknown }
        return pipeline.admissions.quality(ofHost: target.origin)
    }

    /// Says what the quality is, whatever is measured: for tests, and for platforms that know. `nil` to measure again.
    public func overrideNetworkQuality(_ quality: AdmissionPolicy.NetworkQuality?) {
        pipeline.admissions.overrideQuality(quality)
    }

    /// Cancels every load that has the label.
    ///
    /// - Parameters:
    ///   - tag: a label that was given with `tag(_:)`.
    ///   - reason: what the errors say; must not hold secrets.
    /// - Returns: how many loads were cancelled.
    @discardableResult
    public func cancelLoads(withTag tag: String, reason: String? = nil) -> Int {
        activeLoads.cancel(tag: tag, with: .cancelled, reason: reason)
    }

    /// Cancels every load. New ones are still taken.
    ///
    /// - Returns: how many loads were cancelled.
    @discardableResult
    public func cancelAllLoads(reason: String? = nil) -> Int {
        activeLoads.cancel(tag: nil, with: .cancelled, reason: reason)
    }

    /// Takes no more loads, gives those in flight some time, and ends the rest with ``SwiftyError/Code/shutdown``.
    ///
    /// Returns when all loads are over. The shared transport stays, since others use it; one of the instance's own is shut
    /// down too, and its threads have ended. A second call waits for the first; without time it also ends what is left.
    ///
    /// - Parameter graceful: how long loads in flight may go on; they are ended at once unless given.
    public func shutdown(graceful: Duration = .zero) async {
        activeLoads.close()
        let loads = activeLoads
        let end = { @Sendable in _ = loads.cancel(tag: nil, with: .shutdown, reason: nil) }
        if graceful > .zero {
            let timer = pipeline.clock.timer(at: pipeline.clock.now() + graceful, ring: end)
            await activeLoads.drain()
            timer.cancel()
        } else {
            end()
            await activeLoads.drain()
        }
        if !sharesTransport { await transport.shutdown() }
    }
}
