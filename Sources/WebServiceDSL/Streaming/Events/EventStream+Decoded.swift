// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension EventStream {
    /// The data of events as values; see ``NetworkResource/events(_:decoder:policy:)``.
    public struct Decoded<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        /// The value of an event's data.
        public typealias Element = Value

        let events: EventStream
        let decoder: JSONDecoder

        /// An iterator. That of a resource loads the request with its first event.
        public func makeAsyncIterator() -> Iterator {
            Iterator(events: EventReader(events.source, events.policy), decoder: decoder)
        }

        /// Reads the values. Its release ends the transfer.
        public struct Iterator: AsyncIteratorProtocol {
            let events: EventReader
            let decoder: JSONDecoder

            /// Waits for the next value; `nil` at the end, and after an error.
            ///
            /// - Throws: ``SwiftyError``; see ``NetworkResource/events(_:decoder:policy:)``.
            public mutating func next() async throws(SwiftyError) -> Value? {
                try await events.next().map(decode)
            }

            /// Waits for the next value; see ``next()``.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Value? {
                try await events.next().map(decode)
            }

            private func decode(_ event: ServerSentEvent) throws(SwiftyError) -> Value {
                do {
                    return try decoder.decode(Value.self, from: Data(event.data.utf8))
                } catch {
                    let type = Redaction.oneLine(String(event.type.prefix(64)))
                    throw events.fail(.undecodable("the data of an event \"\(type)\" is not \(Value.self)", error))
                }
            }
        }
    }
}
