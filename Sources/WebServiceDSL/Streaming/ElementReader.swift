// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// Decodes the parts of the content into elements, wherever the content is divided into parts.
protocol PartDecoder {
    associatedtype Element

    /// Called once, before the first part, with the media type of the content.
    mutating func begin(contentType: String?)

    /// Adds a part. Called when ``next()`` has returned `nil`.
    mutating func append(_ part: Data) throws(SwiftyError)

    /// The next complete element of the parts so far; `nil` if another part is needed. Not called after an error.
    mutating func next() throws(SwiftyError) -> Element?

    /// The element that the end of the content completes; `nil` without one.
    mutating func finish() throws(SwiftyError) -> Element?
}

extension PartDecoder {
    mutating func begin(contentType: String?) {}
}

/// Reads the elements of one content. The elements of a part that has arrived are returned without suspension.
struct ElementReader<Decoder: PartDecoder> {
    private let parts: PartReader
    private var decoder: Decoder
    private var hasBegun = false
    private var hasEnded = false

    init(_ source: PartSource, _ decoder: Decoder) {
        parts = PartReader(source)
        self.decoder = decoder
    }

    /// The next element of the parts that have arrived; `nil` if they contain no further one.
    mutating func ready() throws(SwiftyError) -> Decoder.Element? {
        if hasEnded { return nil }
        do throws(SwiftyError) {
            return try decoder.next()
        } catch {
            throw fail(error)
        }
    }

    /// Waits for the next element; `nil` at the end, and after an error.
    nonisolated(nonsending) mutating func next() async throws(SwiftyError) -> Decoder.Element? {
        if let element = try ready() { return element }
        while !hasEnded, let part = try await nextPart() {
            try append(part)
            if let element = try ready() { return element }
        }
        return hasEnded ? nil : try lastElement()
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

    private mutating func append(_ part: Data) throws(SwiftyError) {
        if !hasBegun { decoder.begin(contentType: parts.contentType) }
        hasBegun = true
        do throws(SwiftyError) {
            try decoder.append(part)
        } catch {
            throw fail(error)
        }
    }

    private mutating func lastElement() throws(SwiftyError) -> Decoder.Element? {
        hasEnded = true
        do throws(SwiftyError) {
            return try decoder.finish()
        } catch {
            throw fail(error)
        }
    }

    private mutating func fail(_ error: SwiftyError) -> SwiftyError {
        hasEnded = true
        return parts.fail(error)
    }
}
