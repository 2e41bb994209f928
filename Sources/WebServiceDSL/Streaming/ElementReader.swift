// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// Turns the parts of a content into elements, wherever the content is divided into parts.
protocol PartDecoder {
    associatedtype Element

    /// Adds a part. Called when ``next()`` has returned `nil`.
    mutating func append(_ part: Data)

    /// The next complete element of the parts so far; `nil` if another part is needed. Not called after an error.
    mutating func next() throws(SwiftyError) -> Element?

    /// The element that the end of the content completes; `nil` without one.
    mutating func finish() throws(SwiftyError) -> Element?
}

/// Reads the elements of one content. The elements of a part that has arrived are returned without suspension.
struct ElementReader<Decoder: PartDecoder> {
    private let parts: PartReader
    private var decoder: Decoder
    private var hasEnded = false

    init(_ source: PartSource, _ decoder: Decoder) {
        parts = PartReader(source)
        self.decoder = decoder
    }

    nonisolated(nonsending) mutating func next() async throws(SwiftyError) -> Decoder.Element? {
        if hasEnded { return nil }
        if let element = try decode({ decoder throws(SwiftyError) in try decoder.next() }) { return element }
        while let part = try await nextPart() {
            decoder.append(part)
            if let element = try decode({ decoder throws(SwiftyError) in try decoder.next() }) { return element }
        }
        hasEnded = true
        return try decode { decoder throws(SwiftyError) in try decoder.finish() }
    }

    /// After an error, the beginning of an element that was cut off is not returned.
    private nonisolated(nonsending) mutating func nextPart() async throws(SwiftyError) -> Data? {
        do throws(SwiftyError) {
            return try await parts.next()
        } catch {
            hasEnded = true
            throw error
        }
    }

    private mutating func decode(
        _ body: (inout Decoder) throws(SwiftyError) -> Decoder.Element?
    ) throws(SwiftyError) -> Decoder.Element? {
        do throws(SwiftyError) {
            return try body(&decoder)
        } catch {
            hasEnded = true
            throw parts.fail(error)
        }
    }
}
