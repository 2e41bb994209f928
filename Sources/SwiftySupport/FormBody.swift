// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// `application/x-www-form-urlencoded`, in bodies and in queries.
package enum FormBody {
    /// The decoded pairs in their order.
    package static func items(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts.first ?? ""), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    /// Pairs as a form, in which everything that could need it is percent-encoded.
    package static func text(_ items: [(name: String, value: String)]) -> String {
        items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// Decodes `+` and percent-encoding; text that is not properly encoded is kept unchanged.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: Substring.UTF8View.SubSequence) -> UInt8? {
        // `UInt8` accepts a sign, percent-encoding does not.
        guard digits.count == 2, digits.allSatisfy({ $0 >= UInt8(ascii: "0") }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
