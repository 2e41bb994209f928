// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Configuration
import CoreMetrics
import Foundation
public import Logging
public import ServiceLifecycle
public import Storefront
import StorefrontUpstreams
import SwiftyObservability
import Tracing
import UnixSignals

/// What a process has once: logs, metrics, traces, and here also the upstreams.
public struct StorefrontProcess: Sendable {
    /// The settings.
    public let settings: ProcessSettings
    /// The metrics of the process.
    public let metrics = PrometheusRegistry(buckets: HTTPClientMetrics.requestDurationBuckets)
    /// The logger of the process.
    public let logger: Logger
    private let embedded: EmbeddedUpstreams?

    /// Sets the process up. To be called once.
    public init(_ config: ConfigReader) {
        let settings = ProcessSettings(config)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = settings.logLevel
            return handler
        }
        MetricsSystem.bootstrap(metrics)
        if settings.traces == .all {
            InstrumentationSystem.bootstrap(TreeTracer { FileHandle.standardError.write(Data($0.text.utf8)) })
        }
        let logger = Logger(label: "storefront")
        embedded =
            settings.upstreams == nil
            ? EmbeddedUpstreams(firstPort: settings.port + 1, isFaulty: settings.isFaulty, logger: logger) : nil
        (self.settings, self.logger) = (settings, logger)
    }

    /// Where the upstreams are.
    public var addresses: UpstreamAddresses {
        let first = settings.upstreams ?? settings.port + 1
        return UpstreamAddresses(
            inventory: "http://127.0.0.1:\(first)",
            prices: "http://127.0.0.1:\(first + 1)",
            token: "http://127.0.0.1:\(first + 2)/token"
        )
    }

    /// Returns when the upstreams of this process accept connections.
    @Sendable
    public func waitForUpstreams() async {
        await embedded?.waitUntilRunning()
    }

    /// Runs services until the process is told to end, and then ends them from the last to the first.
    public func run(_ services: [any Service]) async throws {
        let group = ServiceGroup(
            services: (embedded?.services ?? []) + services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        try await group.run()
    }
}
