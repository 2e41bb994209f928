// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// The SHA-256 digest in `Repr-Digest` or `Content-Digest` (RFC 9530): `sha-256=:base64:`, among others.
package enum DigestField {
    /// The digest of the whole representation in its current coding.
    static let representation = HTTPField.Name.literal("Repr-Digest")
    /// The digest of the content of one response.
    static let content = HTTPField.Name.literal("Content-Digest")

    /// The digest that the head has for the whole file; `nil` without one.
    ///
    /// `Content-Digest` covers only the content of this response, so it counts only if that is the whole file.
    package static func digest(_ head: ResponseHead) -> [UInt8]? {
        digest(head.headers, isWhole: head.statusCode != 206)
    }

    /// The digest in header fields or trailers.
    package static func digest(_ fields: HTTPFields, isWhole: Bool) -> [UInt8]? {
        if let digest = digest(in: fields[values: representation]) { return digest }
        return isWhole ? digest(in: fields[values: content]) : nil
    }

    /// The digest of a dictionary of structured fields (RFC 9651 §3.2), whose lines count as one value. The last member
    /// counts, and parameters do not. A value that ends within a quoted string has no digest.
    private static func digest(in values: [String]) -> [UInt8]? {
        var scanner = FieldValueScanner(values.joined(separator: ","))
        var last: [UInt8]?
        while scanner.skipListSeparators() {
            let key = scanner.take { $0 != .comma && $0 != .equalsSign && $0 != .semicolon && !$0.isSpaceOrTab }
            let value = scanner.skip(.equalsSign) ? bytes(&scanner) : nil
            guard scanner.skipRestOfMember() else { return nil }
            if let value, key.elementsEqual("sha-256".utf8) { last = value }
        }
        return last
    }

    /// The bytes of `:base64:`; `nil` for another value.
    private static func bytes(_ scanner: inout FieldValueScanner) -> [UInt8]? {
        guard scanner.skip(.colon) else { return nil }
        let text = scanner.take { $0 != .colon && $0 != .comma }
        guard scanner.skip(.colon) else { return nil }
        return Data(base64Encoded: Data(text)).map { [UInt8]($0) }
    }
}

extension FieldValueScanner {
    /// Skips everything before the next comma that is not in a quoted string.
    ///
    /// - Returns: `false` if a quoted string has no end.
    fileprivate mutating func skipRestOfMember() -> Bool {
        while let byte = next, byte != .comma {
            if byte == .quote {
                guard quotedString() != nil else { return false }
            } else {
                _ = skip(byte)
            }
        }
        return true
    }
}
