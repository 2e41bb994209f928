// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// The default network interface: it loads the requests of services, by one set of policies and hooks, over a transport
/// made for Linux servers.
///
///     let swifty = Swifty {
///         $0.use(SignIn(store: .shared), TraceHeader())       // constraints, interceptors, observers
///         $0.retry = .standard                                // within the replay rule
///         $0.timeouts.total = .seconds(10)
///         $0.admission.maximumLoadsPerHost = 8
///     }
///
///     enum GitHub: WebService {
///         static let serverURL = "https://api.github.com"
///         static let networkInterface: any NetworkInterface = swifty
///     }
///
///     await swifty.shutdown(graceful: .seconds(5))            // with the program
///
/// Make one for each set of policies, store it, and shut it down with the program; ``shared`` has the defaults. Every
/// load passes the same stages: constraints → request interceptors → admission → transport → status validation →
/// response interceptors → the caller. A retry starts again at the request interceptors; the replay rule in
/// Docs/Retries.md says which requests may be sent again. ``Configuration`` has all policies, and Docs/Configuration.md
/// the order in which they apply. Instances without their own transport or settings share one transport and its
/// connections. All methods may be called from any thread.
public final class Swifty: NetworkInterface {
    /// A `Swifty` without constraints and interceptors, which many parts of a process use: ``shutdown(graceful:)`` has
    /// no effect on it.
    ///
    /// A program changes its settings with ``configureShared(_:)``, before anything has used it.
    public static let shared = Swifty(configuration: SharedConfiguration.ofProcess.take())

    let environment: LoadEnvironment
    let transport: any Transport
    /// Whether other instances use the same transport.
    let sharesTransport: Bool
    /// The number of the transport in samples of connections.
    package let transportNumber: Int
    let activeLoads = ActiveLoads()
    /// `nil` without state observers.
    let connectionSampler: ConnectionSampler?

    /// The queue of the closures of loads without `deliver(on:)`.
    public let deliveryQueue: DispatchQueue
    /// The same for the closures of `add`, one after another.
    let serialDeliveryQueue: DispatchQueue

    /// Makes a network interface over the default kind of transport.
    ///
    /// - Parameters:
    ///   - configuration: The policies and hooks; see ``Configuration``.
    ///   - transport: The settings of TLS trust, proxy, addresses, connection limits and response rules. All instances
    ///     with the default settings share one transport. Any other instance has its own transport and connections,
    ///     which are shut down together with it.
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

    /// Makes a network interface over another transport, which has its own settings.
    ///
    /// - Parameters:
    ///   - configuration: The policies and hooks; see ``Configuration``.
    ///   - transport: The transport, which is shut down together with this instance.
    public convenience init(configuration: Configuration = Configuration(), transport: any Transport) {
        self.init(configuration, carrier: transport, isShared: false)
    }

    /// Makes a network interface over the default kind of transport from changes to the default configuration.
    ///
    ///     let swifty = Swifty { $0.retry = .standard }
    ///
    /// - Parameters:
    ///   - transport: As in ``init(configuration:transport:)-(_,TransportSettings)``.
    ///   - configure: A closure that changes the default configuration; called once, before this returns.
    /// - Throws: The error that the closure throws.
    public convenience init(
        transport: TransportSettings = TransportSettings(),
        configure: (inout Configuration) throws -> Void
    ) rethrows {
        var configuration = Configuration()
        try configure(&configuration)
        self.init(configuration: configuration, transport: transport)
    }

    /// Makes a network interface over another transport from changes to the default configuration.
    ///
    /// - Parameters:
    ///   - transport: The transport, which is shut down together with this instance.
    ///   - configure: A closure that changes the default configuration; called once, before this returns.
    /// - Throws: The error that the closure throws.
    public convenience init(
        transport: any Transport,
        configure: (inout Configuration) throws -> Void
    ) rethrows {
        var configuration = Configuration()
        try configure(&configuration)
        self.init(configuration: configuration, transport: transport)
    }

    /// Makes a network interface over a transport that outlives it: ``shutdown(graceful:)`` does not end it.
    ///
    /// - Parameters:
    ///   - configuration: The policies and hooks.
    ///   - transport: The transport.
    ///   - number: The number of the transport in samples of connections: the ``transportNumber`` of another instance
    ///     that uses it; `nil` for the first one.
    package convenience init(configuration: Configuration, sharing transport: any Transport, number: Int?) {
        self.init(configuration, carrier: transport, isShared: true, number: number)
    }

    private init(_ configuration: Configuration, carrier: any Transport, isShared: Bool, number: Int? = 0) {
        transport =
            if configuration.coalesces {
                CoalescingTransport(
                    carrier,
                    policy: configuration.coalescing,
                    clock: configuration.clock,
                    shutsDownTransport: !isShared
                )
            } else {
                carrier
            }
        sharesTransport = isShared && !configuration.coalesces
        deliveryQueue = configuration.deliveryQueue ?? Self.defaultDeliveryQueue()
        serialDeliveryQueue = DispatchQueue(label: "swifty.add", target: deliveryQueue)
        environment = LoadEnvironment(
            configuration: configuration,
            transport: transport,
            number: activeLoads.instance
        )
        transportNumber = (isShared ? number : nil) ?? activeLoads.instance
        connectionSampler = environment.makeConnectionSampler(ofTransport: transportNumber)
    }

    deinit {
        environment.reportClosedCircuits()
    }

    /// The clock of everything that waits; see ``Configuration/clock``.
    public var clock: any Clock<Duration> { environment.configuration.clock }

    /// ``Configuration/gracePeriod``.
    package var gracePeriod: Duration { environment.configuration.gracePeriod }

    var configurationName: String? { environment.configuration.name }

    /// The folder that is searched first for mock files.
    public var mockDirectory: String? { environment.configuration.mockDirectory }

    /// `true`: see ``withTransport(_:for:_:)``.
    public var usesScopedTransports: Bool { true }

    /// Loads one request; see ``NetworkInterface``.
    @concurrent
    public func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        guard let ticket = activeLoads.insert(cancellation, tags: draft.tags) else {
            return NetworkResponse(of: draft, error: Self.shutdownError(draft), request: nil)
        }
        let load = makeLoad(ticket.number, draft: draft, cancellation: cancellation, isStreamed: false)
        let response = await load.run()
        activeLoads.remove(ticket, response.error, attempts: load.state.metrics.attempts.count)
        return response
    }

    /// Loads one request until the head of its response is accepted; see ``NetworkInterface``.
    ///
    /// The load is in flight, for ``statistics`` and for ``shutdown(graceful:)``, until the end of its content.
    @concurrent
    public func stream(
        _ draft: RequestDraft,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> ResponseStream {
        guard let ticket = activeLoads.insert(cancellation, tags: draft.tags) else { throw Self.shutdownError(draft) }
        let load = makeLoad(ticket.number, draft: draft, cancellation: cancellation, isStreamed: true)
        let onEnd = { @Sendable [activeLoads] in activeLoads.remove(ticket, $0, attempts: $1) }
        return try await load.stream(onEnd: onEnd)
    }

    private func makeLoad(
        _ number: UInt64,
        draft: RequestDraft,
        cancellation: LoadCancellation,
        isStreamed: Bool
    ) -> Load {
        Load(
            id: number,
            draft: draft.inCurrentScope().forLoad(),
            of: self,
            in: environment.specialized(for: draft),
            isStreamed: isStreamed,
            cancellation: cancellation
        )
    }

    /// Explains what a load of the draft would send, and the stages that it would pass; see ``NetworkInterface``.
    public func explain(_ draft: RequestDraft) async throws(SwiftyError) -> RequestExplanation {
        try await makeLoad(0, draft: draft.withExplainedKey, cancellation: LoadCancellation(), isStreamed: false)
            .explain()
    }

    /// Changes the priority of a load that waits for admission; see ``AdmissionPolicy``.
    public func setPriority(_ priority: NetworkRequest.Priority, of load: LoadCancellation) {
        environment.admissions.setPriority(priority, of: load)
        environment.currentAdmissions.setPriority(priority, of: load)
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
