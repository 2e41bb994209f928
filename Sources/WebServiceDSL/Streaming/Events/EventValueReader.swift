// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the data of events as values.
final class EventValueReader<Value: Decodable & Sendable>: BatchReader {
    private let events: EventReader
    private let format: JSONFormat
    private let place: ContentPlace?

    init(_ source: PartSource, _ policy: EventPolicy, format: JSONFormat, at place: ContentPlace?) {
        events = EventReader(source, policy)
        self.format = format
        self.place = place
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Value] {
        guard let event = try await events.next() else { return [] }
        let data = Data(event.data.utf8)
        do {
            return [try format.decode(Value.self, at: place, from: data)]
        } catch {
            let type = Redaction.oneLine(String(event.type.prefix(64)))
            let fact = "the data of an event \"\(type)\" is not \(Value.self)"
            throw events.fail(.undecodable(fact, error, in: data, format: format))
        }
    }
}
