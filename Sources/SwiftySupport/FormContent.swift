// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// `application/x-www-form-urlencoded`, in content and in queries.
package enum FormContent {
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
        String(decoding: decodedBytes(text.utf8), as: UTF8.self)
    }

    /// The bytes of a name or a value, which need not be UTF-8.
    package static func decodedBytes(_ text: some Collection<UInt8>) -> [UInt8] {
        PercentEncoding.lenientlyDecoded(text.map { $0 == UInt8(ascii: "+") ? .space : $0 })
    }
}
