// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
public import Logging
public import ServiceLifecycle

/// The services that the storefront calls, in the same process, so that one command starts all of it. Elsewhere they
/// would be on other machines.
public struct EmbeddedUpstreams: Sendable {
    /// The services of a `ServiceGroup`.
    public let services: [any Service]
    private let running: AsyncStream<Void>

    /// Makes the servers, on three ports of the loopback interface.
    ///
    /// - Parameters:
    ///   - firstPort: That of the inventory; those of prices and of tokens follow.
    ///   - isFaulty: Whether some requests fail, and some are answered late.
    ///   - logger: The logger.
    public init(firstPort: Int, isFaulty: Bool, logger: Logger) {
        let (running, continuation) = AsyncStream.makeStream(of: Void.self)
        func server(_ router: Router<BasicRequestContext>, port: Int) -> any Service {
            Application(
                router: router,
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
                onServerRunning: { _ in continuation.yield() },
                logger: logger
            )
        }
        let tokens = TokenIssuer()
        // Fewer than one of five: the budget of retries, 20 % of the traffic, is enough for them.
        let slow = isFaulty ? Faults(busyEvery: 7, delayEvery: 5) : .none
        let busy = isFaulty ? Faults(busyEvery: 6, delayEvery: 0) : .none
        services = [
            server(UpstreamRouters.inventory(tokens, faults: slow), port: firstPort),
            server(UpstreamRouters.prices(faults: busy), port: firstPort + 1),
            server(tokens.makeRouter(), port: firstPort + 2),
        ]
        self.running = running
    }

    /// Returns when all of them accept connections, or when the task is cancelled. To be called once.
    public func waitUntilRunning() async {
        var count = 0
        for await _ in running {
            count += 1
            if count == services.count { return }
        }
    }
}
