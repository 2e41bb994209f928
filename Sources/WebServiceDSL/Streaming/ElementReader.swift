// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// Decodes the parts of the content into elements, wherever the content is divided into parts.
protocol PartDecoder {
    associatedtype Element

    /// The number of elements of a part that are decoded at a time.
    static var batchSize: Int { get }

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
    static var batchSize: Int { 64 }

    mutating func begin(contentType: String?) {}
}

/// Reads the elements of one content. The elements of a part that has arrived are returned without suspension.
final class ElementReader<Decoder: PartDecoder>: BatchReader {
    private let parts: PartReader
    private var decoder: Decoder
    private var hasBegun = false
    private var hasEnded = false
    /// The error of an element whose predecessors were returned.
    private var failure: SwiftyError?

    init(_ source: PartSource, _ decoder: Decoder) {
        parts = PartReader(source)
        self.decoder = decoder
    }

    nonisolated(nonsending) func nextBatch() async throws(SwiftyError) -> [Decoder.Element] {
        var batch = try decodeBatch()
        while batch.isEmpty, !hasEnded {
            guard let part = try await nextPart() else { return try lastElement().map { [$0] } ?? [] }
            try append(part)
            batch = try decodeBatch()
        }
        return batch
    }

    /// Some elements of the parts that have arrived; none if they contain no further one.
    private func decodeBatch() throws(SwiftyError) -> [Decoder.Element] {
        if let failure {
            self.failure = nil
            throw failure
        }
        var batch: [Decoder.Element] = []
        do throws(SwiftyError) {
            while !hasEnded, batch.count < Decoder.batchSize, let element = try decoder.next() { batch.append(element) }
        } catch {
            let error = fail(error)
            if batch.isEmpty { throw error }
            failure = error
        }
        return batch
    }

    /// After an error, the beginning of an element that was cut off is not returned.
    private nonisolated(nonsending) func nextPart() async throws(SwiftyError) -> Data? {
        do throws(SwiftyError) {
            return try await parts.next()
        } catch {
            hasEnded = true
            throw error
        }
    }

    private func append(_ part: Data) throws(SwiftyError) {
        if !hasBegun { decoder.begin(contentType: parts.contentType) }
        hasBegun = true
        do throws(SwiftyError) {
            try decoder.append(part)
        } catch {
            throw fail(error)
        }
    }

    private func lastElement() throws(SwiftyError) -> Decoder.Element? {
        hasEnded = true
        do throws(SwiftyError) {
            return try decoder.finish()
        } catch {
            throw fail(error)
        }
    }

    private func fail(_ error: SwiftyError) -> SwiftyError {
        hasEnded = true
        return parts.fail(error)
    }
}
