// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Decodes each line that is not blank, without the record separator of RFC 7464 §2.2 at its beginning.
struct JSONLineDecoder<Value: Decodable & Sendable>: PartDecoder {
    /// A value that is not taken is not decoded.
    static var batchSize: Int { 1 }

    private let format: JSONFormat
    private let place: ContentPlace?
    private var lines: LineSplitter<Data>
    private var number = 0

    init(_ format: JSONFormat, at place: ContentPlace?, limit: Int) {
        self.format = format
        self.place = place
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
            return try format.decode(Value.self, at: place, from: text)
        } catch {
            throw SwiftyError.undecodable("line \(number) is not \(Value.self)", error, in: text, format: format)
        }
    }
}
