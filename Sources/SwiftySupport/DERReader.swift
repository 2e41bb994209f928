// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Reads the elements of a DER encoding (ITU-T X.690 §10.1) one after another. The bytes need not be valid.
package struct DERReader {
    /// An element with a tag of one byte.
    package struct Element {
        package let tag: UInt8
        package let content: ArraySlice<UInt8>
        /// Tag, length and content as encoded.
        package let encoding: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The next element, if it is complete and has this tag.
    package mutating func next(_ tag: UInt8) -> Element? {
        guard rest.first == tag else { return nil }
        return next()
    }

    /// The next element; `nil` at the end, and if the rest is not a complete element.
    package mutating func next() -> Element? {
        var content = rest
        guard let tag = content.popFirst(), let length = Self.takeLength(&content), length <= content.count else {
            return nil
        }
        let end = content.startIndex + length
        defer { rest = rest[end...] }
        return Element(tag: tag, content: content[..<end], encoding: rest[..<end])
    }

    /// Reads a length of up to four bytes (§8.1.3), more than any certificate needs.
    private static func takeLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        if first < 0x80 { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
