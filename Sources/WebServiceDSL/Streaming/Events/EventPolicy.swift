// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How an event stream ends, and how it connects again when its connection ends.
///
/// The wait before a connection is the server's `retry:`, or ``initialDelay``. After several connections without an
/// event it is random between that time and one that grows by ``multiplier`` with each of them. A server cannot make it
/// shorter than ``minimumDelay``, and no wait is longer than ``maximumDelay``.
///
/// A connection that ends, is lost, cannot be made or is silent for too long is followed by another, and so are the
/// statuses 408, 421, 425, 429, 500, 502, 503 and 504, with 429 and 503 after the time of their `Retry-After`. Another
/// status, another media type, the total time limit of the request and cancellation end the stream.
///
/// Source: WHATWG HTML §9.2.3.
public struct EventPolicy: Sendable {
    /// Whether the stream connects again; if `nil`, only if the request is idempotent: a GET, but not a POST.
    ///
    /// A stream that does not connect again ends with its response.
    public var reconnects: Bool?
    /// The wait before a reconnection, unless the server sets it.
    public var initialDelay: Duration
    /// The shortest wait that the server's `retry:` can set, as in browsers, so that a server which closes each
    /// connection is not asked without a pause. ``initialDelay`` may be shorter.
    public var minimumDelay: Duration
    /// The factor by which the longest wait grows with each further connection without an event.
    public var multiplier: Double
    /// The longest wait, even if the server asks for a longer one.
    public var maximumDelay: Duration
    /// The number of consecutive connections without an event after which the stream ends with an error.
    public var maximumAttempts: Int
    /// The largest event in bytes: of its data, and of each of its lines. A larger one ends the stream with
    /// ``SwiftyError/Code/elementTooLarge``.
    public var eventLimit: Int
    /// The data of the event that ends the stream and is not delivered, such as `[DONE]`; `nil` without one.
    public var endsAt: String?
    /// The clock of the waits. For tests; `nil` is that of the network interface.
    public var clock: (any Clock<Duration>)?

    /// Makes a policy; by default that of browsers, with at most 10 connections without an event.
    public init(
        reconnects: Bool? = nil,
        initialDelay: Duration = .seconds(3),
        minimumDelay: Duration = .milliseconds(500),
        multiplier: Double = 2,
        maximumDelay: Duration = .seconds(300),
        maximumAttempts: Int = 10,
        eventLimit: Int = 1 << 20,
        endsAt: String? = nil,
        clock: (any Clock<Duration>)? = nil
    ) {
        self.reconnects = reconnects
        self.initialDelay = initialDelay
        self.minimumDelay = minimumDelay
        self.multiplier = multiplier
        self.maximumDelay = maximumDelay
        self.maximumAttempts = maximumAttempts
        self.eventLimit = eventLimit
        self.endsAt = endsAt
        self.clock = clock
    }
}
