// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Replaces the secrets in content according to its type: the bytes alone do not tell the syntax of forms, multipart
/// content and tables.
struct ContentRedaction {
    let names: SecretNames
    /// The nesting depth in multipart content.
    var depth = 0

    func redact(_ content: [UInt8], type: String, found: inout Set<String>) -> [UInt8] {
        let lowercased = type.lowercased()
        if lowercased.hasPrefix("multipart/"), depth < 4, let delimiter = Self.delimiter(type, content) {
            return redact(parts: content, delimiter, found: &found)
        }
        if lowercased.contains("x-www-form-urlencoded") {
            return SecretScan.redact(content, as: .form, names, found: &found)
        }
        let table = TableRedaction(content, type: lowercased, names)?.redact(found: &found)
        return SecretScan.redact(table ?? content, names, found: &found)
    }

    // MARK: - Parts

    /// The delimiter of multipart content (RFC 2046 §5.1.1): that of the type, or else the first line that looks like
    /// one.
    private static func delimiter(_ type: String, _ content: [UInt8]) -> [UInt8]? {
        if let boundary = boundary(of: type) { return Array("--\(boundary)".utf8) }
        let lines = content.split(separator: .lineFeed, maxSplits: 20, omittingEmptySubsequences: false)
        guard let line = lines.first(where: { $0.starts(with: "--".utf8) && $0.count > 3 }) else { return nil }
        return Array(line.trimmingSpacesTabsAndLineEnds())
    }

    private static func boundary(of type: String) -> String? {
        guard let range = type.lowercased().firstRange(of: "boundary=") else { return nil }
        let offset = type.utf8.count - type.lowercased()[range.upperBound...].utf8.count
        let value = type.utf8.dropFirst(offset)
        let text = value.first == .quote ? value.dropFirst().prefix { $0 != .quote } : value.prefix { $0 != .semicolon }
        let boundary = String(Substring(text)).trimmingSpacesAndTabs()
        return boundary.isEmpty ? nil : String(boundary)
    }

    /// Redacts the parts, which may be of any type. The preamble before the first delimiter is not a part.
    private func redact(parts content: [UInt8], _ delimiter: [UInt8], found: inout Set<String>) -> [UInt8] {
        let parts = content.split(separator: delimiter, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return SecretScan.redact(content, names, found: &found) }
        var redacted = [SecretScan.redact(Array(parts[0]), names, found: &found)]
        for part in parts.dropFirst() { redacted.append(redact(part: Array(part), found: &found)) }
        return Array(redacted.joined(separator: delimiter))
    }

    private func redact(part: [UInt8], found: inout Set<String>) -> [UInt8] {
        guard let end = Self.headEnd(of: part) else { return SecretScan.redact(part, names, found: &found) }
        let head = SecretScan.redact(Array(part[..<end]), names, found: &found)
        let tail = part[end...].reversed().prefix { $0.isSpaceTabOrLineEnd }.count
        let last = Self.lineEnd(part[max(end, part.count - tail)...])
        let content = Array(part[end..<part.count - last.count])
        let fields = String(decoding: part[..<end], as: UTF8.self)
        if let name = Self.parameter("name", of: fields), names.kind(of: name) != nil {
            if !content.isEmpty { found.insert(String(decoding: content, as: UTF8.self)) }
            return head + SecretScan.placeholder + last
        }
        let inner = ContentRedaction(names: names, depth: depth + 1)
        return head + inner.redact(content, type: Self.field("content-type", of: fields) ?? "", found: &found) + last
    }

    /// The line end before a delimiter, which belongs to it.
    private static func lineEnd(_ tail: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if tail.suffix(2).elementsEqual("\r\n".utf8) { return tail.suffix(2) }
        return tail.last == .lineFeed ? tail.suffix(1) : []
    }

    /// The offset after the empty line that ends a head, whose lines end with CRLF or LF.
    private static func headEnd(of part: [UInt8]) -> Int? {
        let ends = ["\r\n\r\n", "\n\n"].compactMap { part.firstRange(of: $0.utf8)?.upperBound }
        return ends.min()
    }

    private static func field(_ name: String, of head: String) -> String? {
        let lines = head.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        guard let line = lines.first(where: { $0.lowercased().hasPrefix("\(name):") }) else { return nil }
        return String(line.dropFirst(name.count + 1).trimmingSpacesAndTabs())
    }

    private static func parameter(_ name: String, of head: String) -> String? {
        guard let match = try? #/(?i)[; ]name\*?=(?:"([^"\r\n]*)"|([^;\r\n]*))/#.firstMatch(in: head) else {
            return nil
        }
        return String(match.1 ?? match.2 ?? "").trimmingSpacesAndTabs().description
    }
}
