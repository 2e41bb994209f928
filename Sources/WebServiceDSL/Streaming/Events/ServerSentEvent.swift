// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One event of an event stream.
///
/// Source: WHATWG HTML §9.2.
public struct ServerSentEvent: Sendable, Hashable {
    /// The name of the event; `message` if the server gives none.
    public var type: String
    /// The data, whose lines are joined by LF.
    public var data: String
    /// The last event ID of the stream: that of this event or, if it has none, of the last one before it that has;
    /// empty if there is none.
    public var id: String
    /// The time before a reconnection, if this event sets it.
    public var retry: Duration?

    /// Makes an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}
