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

    private let configuration: Configuration
    private let constraints: [Constraint]
    private let requestInterceptors: [any RequestInterceptor]
    private let responseInterceptors: [any ResponseInterceptor]
    private let transport: any Transport
    private let ownsTransport: Bool
    private let activeLoads = ActiveLoads()

    /// The queue on which closures are called that name none with `deliver(on:)`.
    public let deliveryQueue: DispatchQueue

    /// Makes a network interface.
    ///
    /// - Parameters:
    ///   - configuration: time limits, delivery queue, mock directory, logger.
    ///   - constraints: what must be satisfied before a request is sent; all are asked at once.
    ///   - requestInterceptors: what may change a request before it is sent, in order.
    ///   - responseInterceptors: what may change an outcome before the caller sees it, in order.
    ///   - transport: what carries the requests; the shared libcurl transport if `nil`. A transport that is given here is
    ///     shut down together with this instance.
    public init(
        configuration: Configuration = Configuration(),
        constraints: [Constraint] = [],
        requestInterceptors: [any RequestInterceptor] = [],
        responseInterceptors: [any ResponseInterceptor] = [],
        transport: (any Transport)? = nil
    ) {
        self.configuration = configuration
        self.constraints = constraints
        self.requestInterceptors = requestInterceptors
        self.responseInterceptors = responseInterceptors
        self.transport = transport ?? DefaultTransport.shared
        self.ownsTransport = transport != nil
        self.deliveryQueue = configuration.deliveryQueue ?? Self.defaultDeliveryQueue()
    }

    /// The folder in which mock files are looked for first.
    public var mockDirectory: String? { configuration.mockDirectory }

    /// Loads one request; see ``NetworkInterface``.
    public func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        guard activeLoads.insert(cancellation) else {
            return NetworkResponse(error: Self.shutdownError(draft))
        }
        defer { activeLoads.remove(cancellation) }
        let pipeline = LoadPipeline(
            interface: self,
            configuration: configuration,
            constraints: constraints,
            requestInterceptors: requestInterceptors,
            responseInterceptors: responseInterceptors,
            transport: transport
        )
        return await pipeline.run(draft, cancellation)
    }

    /// Ends every load with ``SwiftyError/Code/shutdown``, and returns when all are over.
    ///
    /// Later loads fail with the same code. The shared transport stays, since others use it; one that was given to `init`
    /// is shut down too. A second call waits for the first.
    public func shutdown() async {
        await activeLoads.shutdown()
        if ownsTransport { await transport.shutdown() }
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
    /// The seed's way to load a resource through this instance, whatever its own network interface is.
    ///
    /// Exactly one of the closures is called: `failureBlock` for every outcome with an error.
    @discardableResult
    public func add(
        _ resource: NetworkResource,
        successBlock: @escaping @Sendable (NetworkResponse) -> Void,
        failureBlock: @escaping @Sendable (NetworkResponse) -> Void
    ) -> LoadTask {
        NetworkResource.make(of: resource.draft, networkInterface: self).load { (outcome: NetworkResponse) in
            outcome.error == nil ? successBlock(outcome) : failureBlock(outcome)
        }
    }
}
