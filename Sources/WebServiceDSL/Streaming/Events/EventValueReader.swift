// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the data of events as values.
final class EventValueReader<Value: Decodable & Sendable>: BatchReader {
    private let events: EventReader
    private let decoder: JSONDecoder

    init(_ source: PartSource, _ policy: EventPolicy, decoder: JSONDecoder) {
        events = EventReader(source, policy)
        self.decoder = decoder
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Value] {
        guard let event = try await events.next() else { return [] }
        do {
            return [try decoder.decode(Value.self, from: Data(event.data.utf8))]
        } catch {
            let type = Redaction.oneLine(String(event.type.prefix(64)))
            throw events.fail(.undecodable("the data of an event \"\(type)\" is not \(Value.self)", error))
        }
    }
}
