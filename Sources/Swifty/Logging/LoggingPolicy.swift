// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Logging

/// The levels of log lines, and the loggers that they go to; see ``Swifty/Configuration/logger``.
///
///     let swifty = Swifty {
///         $0.logger = logger
///         $0.logging.decide = { $0.statusCode == 404 ? .debug : nil }
///     }
///
/// The defaults are for a person who is called when something is wrong: at `info` there is nothing but what went wrong.
/// Docs/Observability.md has a table of all lines and their metadata.
public struct LoggingPolicy: Sendable {
    /// The level of a load that has succeeded.
    public var successLevel = Logger.Level.debug
    /// The level of a load that has failed, after its last attempt. Of a cancelled load, and of one that a shutdown has
    /// ended, it is that of a success.
    public var failureLevel = Logger.Level.warning
    /// The level of another attempt that follows a failed one.
    public var retryLevel = Logger.Level.info
    /// The level of hooks and waits for constraints that exceed ``Swifty/Configuration/hookPatience``.
    public var slownessLevel = Logger.Level.notice
    /// The level of a circuit breaker that opens or closes.
    public var circuitLevel = Logger.Level.notice
    /// The level of requests and responses, with their fields, without secrets and content.
    public var wireLevel = Logger.Level.trace

    /// Decides the level of a failure in place of ``failureLevel``; `nil`, from it or in its place, for that level.
    /// Must not block.
    public var decide: (@Sendable (SwiftyError) -> Logger.Level?)?

    /// Whether a load is logged to the logger of the task that begins it (`withLogger(_:_:)` of swift-log), with its
    /// metadata. It comes before that of the `Swifty`, and after that of the request.
    public var usesCurrentLogger = false

    /// Makes the default policy.
    public init() {}

    func level(of error: SwiftyError?) -> Logger.Level {
        guard let error, ![.cancelled, .shutdown].contains(error.code) else { return successLevel }
        return decide?(error) ?? failureLevel
    }
}
