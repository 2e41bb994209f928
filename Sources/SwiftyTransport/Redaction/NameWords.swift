// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The words of a name, however it is spelled: `api-key`, `api_key`, `apiKey`, `API%5Fkey` and `user[api.key]`.
struct NameWords {
    /// The words in lower case, except those of digits only.
    private(set) var words: [String] = []
    /// All letters and digits in lower case: `xapikey` for `X-Api-Key`.
    private(set) var squashed = ""

    init(_ name: some StringProtocol) {
        let bytes = Array(PercentEncoding.decode(String(name)).utf8)
        var word: [UInt8] = []
        for index in bytes.indices {
            if Self.begins(at: index, in: bytes) { end(&word) }
            if Self.isPart(bytes[index]) { word.append(bytes[index]) }
        }
        end(&word)
    }

    private mutating func end(_ word: inout [UInt8]) {
        if word.isEmpty { return }
        let text = String(decoding: word, as: UTF8.self).lowercased()
        squashed += text
        if !word.isDecimal { words.append(text) }
        word.removeAll(keepingCapacity: true)
    }

    /// Whether another word begins at a byte: a separator, an upper-case letter after a lower-case one, the last of
    /// several upper-case letters (`SAMLResponse`), a digit after a letter.
    private static func begins(at index: Int, in bytes: [UInt8]) -> Bool {
        guard isPart(bytes[index]) else { return true }
        guard index > 0 else { return false }
        let (previous, byte) = (bytes[index - 1], bytes[index])
        if byte.isASCIIDigit != previous.isASCIIDigit { return true }
        guard isCapital(byte) else { return false }
        return !isCapital(previous) || index + 1 < bytes.count && isSmall(bytes[index + 1])
    }

    private static func isPart(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || byte >= 0x80 }
    private static func isCapital(_ byte: UInt8) -> Bool { byte.isASCIILetter && byte & 0x20 == 0 }
    private static func isSmall(_ byte: UInt8) -> Bool { byte.isASCIILetter && byte & 0x20 != 0 }
}
