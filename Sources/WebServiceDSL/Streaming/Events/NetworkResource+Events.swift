// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import class Foundation.JSONDecoder

extension NetworkResource {
    /// The events of an event stream (Server-Sent Events).
    ///
    ///     for try await event in News.feed().events() { show(event.data) }
    ///
    /// The request gets `Accept: text/event-stream` and `Cache-Control: no-store`, unless it has such fields. When the
    /// connection ends, another one is made as the policy says, with `Last-Event-ID`; a request that has that field
    /// starts after that event. The stream ends with a 204, with ``EventPolicy/endsAt``, when the loop is left and when
    /// the task is cancelled. The idle time limit applies to each silence of the server, so its comments keep the
    /// connection; the total limit ends the stream.
    ///
    /// - Parameter policy: Reconnection, the end of the stream, and limits.
    /// - Returns: A sequence, whose errors are those of the load, ``SwiftyError/Code/malformedResponse`` for content
    ///   that is not `text/event-stream`, and ``SwiftyError/Code/elementTooLarge``.
    public func events(policy: EventPolicy = EventPolicy()) -> NetworkSequence<ServerSentEvent> {
        partSource.events(policy)
    }

    /// The data of the events of an event stream, decoded from JSON.
    ///
    ///     for try await delta in Chat.complete(prompt).events(Delta.self, policy: EventPolicy(endsAt: "[DONE]")) {
    ///         print(delta.text, terminator: "")
    ///     }
    ///
    /// Everything else is as in ``events(policy:)``. Data that is not such a value ends the sequence with
    /// ``SwiftyError/Code/decodingFailed``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - place: The place of the value in the data; `nil` for all of it.
    ///   - decoder: The decoder; that of the ``WebService`` if `nil`.
    ///   - policy: Reconnection, the end of the stream, and limits.
    public func events<Value: Decodable & Sendable>(
        _ type: Value.Type,
        at place: ContentPlace? = nil,
        decoder: JSONDecoder? = nil,
        policy: EventPolicy = EventPolicy()
    ) -> NetworkSequence<Value> {
        partSource.events(policy, decoder.map { JSONFormat(decoder: $0) } ?? draft.coding.json, at: place)
    }
}

extension ResponseStream {
    /// The events of this response, without reconnection.
    ///
    /// - Parameter policy: The end of the stream, and the limit of an event.
    public func events(policy: EventPolicy = EventPolicy()) -> NetworkSequence<ServerSentEvent> {
        PartSource.open(self).events(policy)
    }

    /// The data of the events of this response, decoded from JSON, without reconnection.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - place: The place of the value in the data; `nil` for all of it.
    ///   - decoder: The decoder; a plain one if `nil`.
    ///   - policy: The end of the stream, and the limit of an event.
    public func events<Value: Decodable & Sendable>(
        _ type: Value.Type,
        at place: ContentPlace? = nil,
        decoder: JSONDecoder? = nil,
        policy: EventPolicy = EventPolicy()
    ) -> NetworkSequence<Value> {
        let format = decoder.map { JSONFormat(decoder: $0) } ?? ServiceCoding.standard.json
        return PartSource.open(self).events(policy, format, at: place)
    }
}

extension PartSource {
    fileprivate func events(_ policy: EventPolicy) -> NetworkSequence<ServerSentEvent> {
        NetworkSequence { EventReader(self, policy) }
    }

    fileprivate func events<Value: Decodable & Sendable>(
        _ policy: EventPolicy,
        _ format: JSONFormat,
        at place: ContentPlace?
    ) -> NetworkSequence<Value> {
        NetworkSequence { EventValueReader(self, policy, format: format, at: place) }
    }
}
