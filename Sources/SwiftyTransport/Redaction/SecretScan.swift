// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Replaces the secrets in text: values that have names of secrets, credentials in URLs, and tokens with a known form.
///
/// The text may be anything: JSON, lines or events of JSON, JSON within strings of JSON, XML, HTML, YAML, a script, a
/// form, a header field, an error message, or binary content with any of them in it. It is not parsed, so that secrets
/// in damaged or truncated text are hidden as well. Bytes are read once, and need not be UTF-8.
struct SecretScan {
    /// The syntax of the text, which decides what ends a parameter.
    enum Syntax {
        case text
        /// A URL or a reference to one.
        case url
        /// The parameters of a URL.
        case parameters
        /// A form (`application/x-www-form-urlencoded`).
        case form
    }

    struct Edit {
        let range: Range<Int>
        let replacement: [UInt8]
    }

    let bytes: [UInt8]
    let names: SecretNames
    /// The nesting depth in strings and parameters.
    let depth: Int
    /// The end of the bytes that are read.
    var limit: Int
    var index = 0
    var found: Set<String> = []
    var markup = Markup()
    var pairs = PairFrames()
    /// The end of the last value of a plain name that was decoded.
    var decodedEnd = 0
    private var edits: [Edit] = []
    /// Whether an edit was made before an earlier one.
    private var isUnordered = false
    static let placeholder = Array(Redaction.placeholder.utf8)
    static let maximumDepth = 4

    /// The text without secrets.
    ///
    /// - Parameter found: Receives the values that were replaced, decoded.
    static func redact(
        _ bytes: [UInt8],
        as syntax: Syntax = .text,
        _ names: SecretNames = .standard,
        depth: Int = 0,
        found: inout Set<String>
    ) -> [UInt8] {
        var scan = SecretScan(bytes, names: names, depth: depth)
        scan.run(syntax)
        found.formUnion(scan.found)
        return scan.result()
    }

    private init(_ bytes: [UInt8], names: SecretNames, depth: Int) {
        (self.bytes, self.names, self.depth, limit) = (bytes, names, depth, bytes.count)
    }

    private mutating func run(_ syntax: Syntax) {
        switch syntax {
        case .text where isForm, .form: scanParameters(separatedBy: [UInt8(ascii: "&")])
        case .text: scanText()
        case .parameters: scanParameters(separatedBy: Self.parameterSeparators)
        case .url: scanReference()
        }
    }

    private mutating func result() -> [UInt8] {
        if edits.isEmpty { return bytes }
        if isUnordered { edits.sort { $0.range.lowerBound < $1.range.lowerBound } }
        var (result, start) = ([UInt8](), 0)
        for edit in edits where edit.range.lowerBound >= start {
            result += bytes[start..<edit.range.lowerBound] + edit.replacement
            start = edit.range.upperBound
        }
        return result + bytes[start...]
    }

    // MARK: - Edits

    mutating func replace(_ range: Range<Int>, by replacement: [UInt8]) {
        if let last = edits.last, last.range.upperBound > range.lowerBound {
            isUnordered = true
            // A whole value replaces the edits within it.
            while let last = edits.last, last.range.lowerBound >= range.lowerBound,
                last.range.upperBound <= range.upperBound
            {
                edits.removeLast()
            }
        }
        edits.append(Edit(range: range, replacement: replacement))
    }

    /// Replaces a range by the placeholder, and records the replaced value.
    mutating func hide(_ range: Range<Int>, value: some StringProtocol) {
        guard !range.isEmpty, !bytes[range].elementsEqual(Self.placeholder) else { return }
        found.insert(String(value))
        replace(range, by: Self.placeholder)
    }

    mutating func hide(_ range: Range<Int>) {
        hide(range, value: text(range))
    }

    /// Embedded text, decoded, without its secrets; `nil` if it has none.
    mutating func redacted(_ text: [UInt8]) -> [UInt8]? {
        guard depth < Self.maximumDepth else { return nil }
        let redacted = Self.redact(text, names, depth: depth + 1, found: &found)
        return redacted == text ? nil : redacted
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: - Text

    /// Reads up to the limit.
    mutating func scanText() {
        while index < limit {
            switch bytes[index] {
            case .backslash: index = min(index + 2, limit)
            case .quote: scanLiteral()
            case UInt8(ascii: "{"):
                pairs.open()
                index += 1
            case UInt8(ascii: "}"):
                pairs.close()
                index += 1
            case UInt8(ascii: "<"): scanTag()
            case UInt8(ascii: ">") where index == markup.end: scanElementText()
            case .colon where has("://", at: index):
                index += 1
                scanCredentials()
            case let byte where Self.isNameByte(byte): scanName()
            default: index += 1
            }
        }
    }

    /// Reads `//user:password@`, if that is what follows.
    mutating func scanCredentials() {
        let start = index + 2
        let end = self.end(from: start) { $0 <= .space || "/?#\"'<>\\`".utf8.contains($0) }
        index = min(start, limit)
        guard index < end, let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { return }
        let parts = bytes[start..<at].split(separator: .colon, maxSplits: 1, omittingEmptySubsequences: false)
        // A token often stands in place of the user, without a password.
        let secret = parts.count > 1 && !parts[1].isEmpty ? parts[1] : parts[0]
        hide(start..<at, value: PercentEncoding.decode(String(decoding: secret, as: UTF8.self)))
        index = at
    }

    // MARK: - Bytes

    /// The offset of the first byte from `start` on that satisfies the closure; the limit if there is none.
    func end(from start: Int, where isEnd: (UInt8) -> Bool) -> Int {
        guard start < limit else { return limit }
        return bytes[start..<limit].firstIndex(where: isEnd) ?? limit
    }

    func has(_ text: StaticString, at start: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        return start >= 0 && start + count <= limit
            && (0..<count).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "_.-~%+[]$".utf8.contains(byte) || byte >= 0x80
    }
}
