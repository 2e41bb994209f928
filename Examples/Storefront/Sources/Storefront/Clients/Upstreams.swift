// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Configuration
public import Logging
public import Swifty
public import SwiftyConfiguration
import SwiftyObservability

/// The clients of the upstreams, and the instances of Swifty that load their requests. Made once, with the program.
public struct Upstreams: Sendable {
    /// How many of an item there are.
    public let inventory: Inventory
    /// What an item costs.
    public let prices: Prices
    /// Loads the requests to both upstreams.
    public let swifty: Swifty
    /// Loads the requests for tokens: an `OAuth2` is a part of the `Swifty` that it serves, and exists before it.
    public let tokens: Swifty

    /// Makes the clients.
    ///
    /// - Parameters:
    ///   - addresses: The servers.
    ///   - config: Replaces settings, such as `SWIFTY_TIMEOUTS_TOTAL=2s`; those of tokens begin with `tokens`.
    ///   - unknownKeys: What follows from settings that do not exist.
    ///   - logger: Gets the lines that belong to no request, such as those about circuit breakers.
    ///   - configure: Changes the settings of both instances before others are read.
    public init(
        at addresses: UpstreamAddresses,
        reading config: ConfigReader,
        unknownKeys: Swifty.UnknownKeys = .ignored,
        logger: Logger,
        configure: (inout Swifty.Configuration) -> Void = { _ in }
    ) throws {
        func make(at scope: ConfigKey, _ setUp: (inout Swifty.Configuration) -> Void) throws -> Swifty {
            try Swifty(reading: config, at: scope, unknownKeys: unknownKeys) { settings in
                Self.observe(&settings, logger)
                setUp(&settings)
                configure(&settings)
            }
        }

        let tokens = try make(at: "tokens") { settings in
            settings.name = "tokens"
            settings.retry = .standard
        }
        let swifty = try make(at: "swifty") { settings in
            settings.name = "storefront"
            // A customer who asks for an item that does not exist wakes nobody up.
            settings.logging.decide = { $0.isOfUnknownItem ? .debug : nil }
            Self.limit(&settings)
            settings.use(Self.signIn(at: addresses, through: tokens))
        }
        inventory = Inventory(serverURL: addresses.inventory, networkInterface: swifty)
        prices = Prices(serverURL: addresses.prices, networkInterface: swifty)
        (self.swifty, self.tokens) = (swifty, tokens)
    }

    /// What a person on call looks at.
    private static func observe(_ settings: inout Swifty.Configuration, _ logger: Logger) {
        settings.use(.metrics(), .tracing())
        // For circuit breakers, which belong to no request.
        settings.logger = logger
        // The logger of the request that is answered, with its number.
        settings.logging.usesCurrentLogger = true
    }

    /// How much a failing upstream may cost.
    private static func limit(_ settings: inout Swifty.Configuration) {
        settings.timeouts.total = .seconds(5)
        settings.timeouts.attempt = .seconds(1)
        settings.timeouts.connect = .milliseconds(500)
        settings.retry = .standard
        settings.retry.backoff.initial = .milliseconds(20)
        settings.admission.maximumLoadsPerHost = 64
        settings.admission.circuitBreaker = AdmissionPolicy.CircuitBreaker(failures: 20, openDuration: .seconds(5))
        settings.deadlineField = .grpcTimeout
        settings.minimumTimeLeft = .milliseconds(5)
        settings.gracePeriod = .seconds(10)
    }

    private static func signIn(at addresses: UpstreamAddresses, through tokens: Swifty) -> OAuth2 {
        OAuth2(
            tokenURL: addresses.token,
            clientID: "storefront",
            clientSecret: "not-a-secret",
            scope: "stock.read",
            for: addresses.inventory,
            through: tokens
        )
    }

    /// Connects before the first request. An upstream that is down does not keep the service from starting.
    @Sendable
    public func prewarm() async {
        for origin in [inventory.serverURL, prices.serverURL] {
            try? await withDeadline(.seconds(2)) { try await swifty.prewarm(origin) }
        }
    }
}

extension SwiftyError {
    /// Whether an upstream has said that there is no such item. A 404 of anything else, such as of its health or of the
    /// token endpoint, is a mistake of the service.
    fileprivate var isOfUnknownItem: Bool {
        code == .unacceptableStatus && statusCode == 404 && request?.template?.hasPrefix("items/") == true
    }
}
