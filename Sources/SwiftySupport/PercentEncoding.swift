// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 §2.1) of UTF-8 bytes, with upper-case hexadecimal digits.
///
/// Public, because the compiler inlines only public functions into other modules. This module is not a product.
public enum PercentEncoding {
    /// The bytes that one part of a URI allows without encoding.
    public struct AllowedBytes: Sendable {
        @usableFromInline let low: UInt64
        @usableFromInline let high: UInt64

        private init(_ characters: String) {
            var low: UInt64 = 0
            var high: UInt64 = 0
            for byte in characters.utf8 where byte < 128 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
            self.low = low
            self.high = high
        }

        @inlinable package func contains(_ byte: UInt8) -> Bool {
            // Every part allows letters, and most bytes are letters.
            if byte.isASCIILetter { return true }
            guard byte < 128 else { return false }
            return ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
        }

        @usableFromInline func containAll(of text: String) -> Bool {
            text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { contains($0) } }
                ?? text.utf8.allSatisfy { contains($0) }
        }

        private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        private static let unreservedText = letters + "0123456789-._~"

        /// The bytes that need no encoding in any part of a URI (RFC 3986 §2.3), for encoding data.
        public static let unreserved = AllowedBytes(unreservedText)
        /// The bytes of a path, including `/` (RFC 3986 §3.3).
        package static let path = AllowedBytes(unreservedText + "!$&'()*+,;=:@/")
        /// The bytes of a path that need no special care: all but the dot, which may begin a dot segment, and the
        /// colon, which may end a scheme.
        package static let plainPath = AllowedBytes(letters + "0123456789-_~!$&'()*+,;=@/")
        /// The bytes of a query (RFC 3986 §3.4).
        package static let query = AllowedBytes(unreservedText + "!$&'()*+,;=:@/?")
        /// The bytes that at least one part of a URI allows: reserved and unreserved ones (RFC 3986 §2.2, §2.3).
        package static let uri = AllowedBytes(unreservedText + "!$&'()*+,;=:@/?#[]")
        /// The bytes of an extended parameter of a field (`attr-char`, RFC 8187 §3.2.1).
        package static let parameter = AllowedBytes(letters + "0123456789!#$&+-.^_`|~")
    }

    /// Encodes every byte outside of `allowed`, including `%`. For data that is not encoded yet.
    ///
    /// A string is returned unchanged if nothing in it needs encoding.
    @inlinable package static func encode(_ text: String, allowed: AllowedBytes = .unreserved) -> String {
        allowed.containAll(of: text) ? text : encodeForbidden(in: text, allowed: allowed)
    }

    @usableFromInline static func encodeForbidden(in text: String, allowed: AllowedBytes) -> String {
        var copy = text
        return copy.withUTF8 { bytes in
            makeString(of: bytes) { index in allowed.contains(bytes[index]) }
        }
    }

    /// Encodes every byte outside of `allowed`, but keeps percent-encoded bytes (`%` and two hexadecimal digits).
    ///
    /// For text that was written as a part of a URI, where `%20` means a space and not a percent sign. A string is
    /// returned unchanged if nothing in it needs encoding.
    package static func encodeIllegal(in text: String, allowed: AllowedBytes) -> String {
        if allowed.containAll(of: text) { return text }
        var copy = text
        return copy.withUTF8 { bytes in
            makeString(of: bytes) { index in allowed.contains(bytes[index]) || isEscape(bytes, at: index) }
        }
    }

    /// Decodes every `%` with two hexadecimal digits, and keeps any other `%`. Invalid UTF-8 becomes U+FFFD.
    package static func decode(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: lenientlyDecoded(Array(text.utf8)), as: UTF8.self)
    }

    /// Decodes every `%` with two hexadecimal digits, and keeps any other `%`.
    package static func lenientlyDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The decoded bytes of a string; `nil` if a `%` is not followed by two hexadecimal digits.
    package static func decodedBytes(of text: Substring) -> [UInt8]? {
        var result: [UInt8] = []
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = bytes.next()?.hexadecimalValue, let low = bytes.next()?.hexadecimalValue else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return result
    }

    private static func isEscape(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
            && bytes[index + 1].isASCIIHexDigit && bytes[index + 2].isASCIIHexDigit
    }

    private static func makeString(
        of bytes: UnsafeBufferPointer<UInt8>,
        keeping isKept: (Int) -> Bool
    ) -> String {
        let capacity = bytes.count * 3
        return String(unsafeUninitializedCapacity: capacity) { output in
            var end = 0
            for index in bytes.indices {
                if isKept(index) {
                    output[end] = bytes[index]
                    end += 1
                } else {
                    output[end] = UInt8(ascii: "%")
                    output[end + 1] = hexDigit(bytes[index] >> 4)
                    output[end + 2] = hexDigit(bytes[index] & 0xF)
                    end += 3
                }
            }
            return end
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
