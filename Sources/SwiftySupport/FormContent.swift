// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// `application/x-www-form-urlencoded`, in content and in queries.
package enum FormContent {
    /// The decoded pairs in their order.
    package static func items(_ text: String) -> [(name: String, value: String)] {
        pairs(Array(text.utf8)).map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// The decoded bytes of the pairs in their order, which need not be UTF-8. A pair without `=` has an empty value.
    package static func pairs(_ bytes: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
        bytes.split(separator: UInt8(ascii: "&")).map { pair in
            let nameEnd = pair.firstIndex(of: .equalsSign) ?? pair.endIndex
            return (decodedBytes(pair[..<nameEnd]), decodedBytes(pair[nameEnd...].dropFirst()))
        }
    }

    /// Pairs as a form, in which everything that could need it is percent-encoded.
    package static func text(_ items: [(name: String, value: String)]) -> String {
        items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// The bytes of a name or a value, which need not be UTF-8: `+` and percent-encoding are decoded, and what is not
    /// properly encoded is kept unchanged.
    package static func decodedBytes(_ text: some Collection<UInt8>) -> [UInt8] {
        PercentEncoding.lenientlyDecoded(text.map { $0 == UInt8(ascii: "+") ? .space : $0 })
    }
}
