// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Configuration
public import Logging

/// The settings of a program of this package; those of Swifty begin with `SWIFTY_`.
public struct ProcessSettings: Sendable {
    /// The traces that are written.
    public enum Traces: String, Sendable {
        case all, none
    }

    /// The port of the service.
    public let port: Int
    /// The first port of the upstreams of another process; `nil` for those of this one.
    public let upstreams: Int?
    /// Whether the upstreams fail now and then.
    public let isFaulty: Bool
    /// The traces that are written.
    public let traces: Traces
    /// The least level that is logged.
    public let logLevel: Logger.Level

    /// Reads `STOREFRONT_PORT`, `STOREFRONT_UPSTREAMS`, `STOREFRONT_FAULTS`, `STOREFRONT_TRACES` and `STOREFRONT_LOG`.
    public init(_ config: ConfigReader) {
        let config = config.scoped(to: "storefront")
        port = config.int(forKey: "port", default: 8080)
        upstreams = config.int(forKey: "upstreams")
        isFaulty = config.bool(forKey: "faults", default: true)
        traces = config.string(forKey: "traces", as: Traces.self, default: .all)
        logLevel = config.string(forKey: "log", as: Logger.Level.self, default: .info)
    }
}
