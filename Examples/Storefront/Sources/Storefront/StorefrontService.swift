// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
public import Logging
public import ServiceLifecycle
import SwiftyLifecycle

/// The server and the clients that it needs, in the order in which a `ServiceGroup` starts them. It shuts them down
/// from the last to the first: the server ends when its requests are answered, and until then they can load.
public struct StorefrontService: Sendable {
    private let upstreams: Upstreams
    private let server: Application<RouterResponder<BasicRequestContext>>

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - upstreams: The clients.
    ///   - metrics: The registry of the process, whose page is `/metrics`.
    ///   - port: The port, on the loopback interface.
    ///   - start: What the server waits for before it starts.
    ///   - logger: The logger, to which each request adds its number.
    public init(
        _ upstreams: Upstreams,
        metrics: PrometheusRegistry,
        port: Int,
        after start: @escaping @Sendable () async -> Void = {},
        logger: Logger
    ) {
        var server = Application(
            router: StorefrontRouter(upstreams, metrics: metrics).makeRouter(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger
        )
        server.beforeServerStarts {
            await start()
            await upstreams.prewarm()
        }
        (self.upstreams, self.server) = (upstreams, server)
    }

    /// The services of a `ServiceGroup`, in their order.
    public var services: [any Service] { [upstreams.tokens, upstreams.swifty, server] }
}
