// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The value of `Content-Range` in bytes (RFC 9110 §14.4): `bytes 0-99/1000`, `bytes 0-99/*`, `bytes */1000`.
package struct ContentRange: Sendable, Hashable {
    /// The bytes; `nil` in a response without any (416).
    package let bytes: Range<Int>?
    /// The number of bytes of the whole content; `nil` if the server does not know it.
    package let total: Int?

    /// The range of a head; `nil` unless it has exactly one valid field.
    package init?(_ head: ResponseHead) {
        let values = head.headers[values: .contentRange]
        guard values.count == 1 else { return nil }
        self.init(values[0])
    }

    /// Parses a value; `nil` if it is invalid, or in another unit.
    init?(_ value: String) {
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let total = Self.number(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
        } else {
            guard let bytes = Self.range(parts[0]), total ?? .max >= bytes.upperBound else { return nil }
            self.bytes = bytes
        }
    }

    private static func range(_ text: Substring) -> Range<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]), first <= last else {
            return nil
        }
        return first..<last + 1
    }

    /// A number of at most 18 digits, so that sums of it do not overflow.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 18 && text.utf8.isDecimal ? Int(text) : nil
    }
}
