// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

import struct Foundation.Data

/// Divides content into lines of text, in the charset of its media type.
struct TextLines: PartDecoder {
    private var splitter: LineSplitter<String>
    /// Converts other charsets to UTF-8; `nil` if the content is UTF-8, as far as its media type says.
    private var decoding: TextDecoding?
    private var hasBegun = false

    init(limit: Int) {
        splitter = LineSplitter(limit: limit)
    }

    mutating func begin(contentType: String?) {
        if TextDecoding.isNeeded(for: contentType) { decoding = TextDecoding(contentType: contentType) }
    }

    mutating func append(_ part: Data) throws(SwiftyError) {
        defer { hasBegun = true }
        if let text = try decoding?.decode(part) { return splitter.append(text) }
        splitter.append(hasBegun ? part : part.withoutByteOrderMark)
    }

    mutating func next() throws(SwiftyError) -> String? {
        try splitter.next()
    }

    mutating func finish() throws(SwiftyError) -> String? {
        // At most one character, which may end a line.
        if let rest = try decoding?.finish(), !rest.isEmpty {
            splitter.append(rest)
            if let line = try splitter.next() { return line }
        }
        return try splitter.finish()
    }
}
