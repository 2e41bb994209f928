// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ResponseStream {
    /// The values of content with one JSON text per line; see ``NetworkResource/jsonLines(_:decoder:limit:)``.
    public struct JSONLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        /// The value of a line.
        public typealias Element = Value

        let source: PartSource
        let decoder: JSONDecoder
        let limit: Int

        /// An iterator. That of a resource loads the request with its first value.
        public func makeAsyncIterator() -> Iterator {
            Iterator(values: ElementReader(source, JSONLineDecoder(decoder: decoder, limit: limit)))
        }

        /// Reads the values of one response. Its release ends the transfer.
        public struct Iterator: AsyncIteratorProtocol {
            var values: ElementReader<JSONLineDecoder<Value>>

            /// Waits for the next value; `nil` at the end, and after an error.
            ///
            /// - Throws: ``SwiftyError`` of the load, ``SwiftyError/Code/decodingFailed`` with the number of the line,
            ///   or ``SwiftyError/Code/elementTooLarge``.
            public mutating func next() async throws(SwiftyError) -> Value? {
                try await values.next()
            }

            /// Waits for the next value; see ``next()``.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(SwiftyError) -> Value? {
                try await values.next()
            }
        }
    }
}

/// Decodes each line that is not blank, without the record separator of RFC 7464 §2.2 at its beginning.
struct JSONLineDecoder<Value: Decodable & Sendable>: PartDecoder {
    private let decoder: JSONDecoder
    private var lines: LineSplitter<Data>
    private var number = 0

    init(decoder: JSONDecoder, limit: Int) {
        self.decoder = decoder
        lines = LineSplitter(limit: limit)
    }

    mutating func append(_ part: Data) {
        lines.append(part)
    }

    mutating func next() throws(SwiftyError) -> Value? {
        while let line = try lines.next() {
            number += 1
            if let text = Self.text(of: line) { return try decode(text) }
        }
        return nil
    }

    mutating func finish() throws(SwiftyError) -> Value? {
        guard let line = try lines.finish() else { return nil }
        number += 1
        return if let text = Self.text(of: line) { try decode(text) } else { nil }
    }

    /// The JSON text of a line; `nil` if the line is blank.
    private static func text(of line: Data) -> Data? {
        let text = line.drop { $0 == 0x1E || $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        return text.isEmpty ? nil : text
    }

    private func decode(_ text: Data) throws(SwiftyError) -> Value {
        do {
            return try decoder.decode(Value.self, from: text)
        } catch {
            throw SwiftyError.undecodable("line \(number) is not \(Value.self)", error)
        }
    }
}
