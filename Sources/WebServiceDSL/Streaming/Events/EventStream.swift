// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The events of an event stream, over as many connections as it takes; see
/// ``NetworkResource/events(policy:)``.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    let source: PartSource
    let policy: EventPolicy

    /// An iterator. That of a resource loads the request with its first event.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: EventReader(source, policy))
    }

    /// Reads the events. Its release ends the transfer.
    public struct Iterator: AsyncIteratorProtocol {
        let events: EventReader

        /// Waits for the next event; `nil` at the end, and after an error.
        ///
        /// - Throws: ``SwiftyError``; see ``NetworkResource/events(policy:)``.
        public mutating func next() async throws(SwiftyError) -> ServerSentEvent? {
            try await events.next()
        }

        /// Waits for the next event; see ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SwiftyError) -> ServerSentEvent? {
            try await events.next()
        }
    }
}
