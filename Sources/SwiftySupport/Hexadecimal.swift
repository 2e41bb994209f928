// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// The bytes in lower-case hexadecimal digits.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes of hexadecimal digits in either case; `nil` if the text has anything else.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
