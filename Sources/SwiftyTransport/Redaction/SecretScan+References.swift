// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

// URLs and forms.
extension SecretScan {
    static let parameterSeparators = Array("&?#".utf8)

    /// Whether the text is a form, whatever its type says: it begins with a parameter, and has another one if it has
    /// blanks.
    var isForm: Bool {
        let nameEnd = end(from: 0) { !Self.isNameByte($0) }
        guard nameEnd > 0, nameEnd < limit, bytes[nameEnd] == .equalsSign, nameEnd < 200 else { return false }
        let content = bytes.trimmingSpacesTabsAndLineEnds()
        if content.contains(.lineFeed) || content.contains(.quote) { return false }
        if !content.contains(where: { $0 <= .space }) { return true }
        guard let mark = content.firstIndex(of: UInt8(ascii: "&")) else { return false }
        let second = end(from: mark + 1) { !Self.isNameByte($0) }
        return second > mark + 1 && second < limit && bytes[second] == .equalsSign
    }

    /// Reads a URL or a relative reference: credentials and path as text, then its parameters.
    mutating func scanReference() {
        if has("//", at: 0) { scanCredentials() }
        let end = limit
        limit = self.end(from: index) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        scanText()
        index = max(index, limit)
        limit = end
        scanParameters(separatedBy: Self.parameterSeparators)
    }

    /// Reads `name=value` up to the limit.
    mutating func scanParameters(separatedBy separators: [UInt8]) {
        let end = limit
        while index < end {
            limit = end
            limit = self.end(from: index) { separators.contains($0) }
            scanParameter()
            index = limit + 1
        }
        (index, limit) = (end, end)
    }

    /// Reads one parameter, which ends at the limit. The value of a plain name may itself contain secrets.
    private mutating func scanParameter() {
        let equals = end(from: index) { $0 == .equalsSign }
        guard equals < limit else { return scanText() }
        let value = equals + 1..<limit
        // A line end after a form is not a part of it.
        let last = bytes[value].lastIndex { $0 != .lineFeed && $0 != .carriageReturn } ?? equals
        let trimmed = value.lowerBound..<last + 1
        if names.kind(of: String(decoding: FormContent.decodedBytes(bytes[index..<equals]), as: UTF8.self)) != nil {
            return hide(trimmed, value: String(decoding: FormContent.decodedBytes(bytes[trimmed]), as: UTF8.self))
        }
        if !replaceDecoded(value) { scanText() }
    }

    /// Replaces the secrets in a value that is percent-encoded.
    ///
    /// - Returns: Whether there are any.
    mutating func replaceDecoded(_ value: Range<Int>) -> Bool {
        guard bytes[value].contains(UInt8(ascii: "%")) || bytes[value].contains(UInt8(ascii: "+")),
            let redacted = redacted(FormContent.decodedBytes(bytes[value]))
        else { return false }
        replace(value, by: Array(PercentEncoding.encode(String(decoding: redacted, as: UTF8.self)).utf8))
        return true
    }
}
