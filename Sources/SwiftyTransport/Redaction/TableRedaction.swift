// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Hides columns of a table with a header row (CSV, RFC 4180, or with tabs or semicolons) that have names of secrets.
struct TableRedaction {
    private let content: [UInt8]
    private let separator: UInt8
    private let columns: Set<Int>
    private let start: Int

    /// `nil` if the content is not a table, or if none of its columns is secret.
    init?(_ content: [UInt8], type: String, _ names: SecretNames) {
        let header = content.prefix { $0 != .lineFeed && $0 != .carriageReturn }
        let isNamed = type.contains("csv") || type.contains("tab-separated")
        guard header.count < 10_000, let separator = Self.separator(of: header) else { return nil }
        let cells = header.split(separator: separator, omittingEmptySubsequences: false).map(Self.name)
        let secrets = cells.indices.filter { names.kind(of: cells[$0]).map { isNamed || $0 == .clear } ?? false }
        guard !secrets.isEmpty,
            isNamed || Self.isTable(cells, content: content, end: header.count, separator: separator)
        else { return nil }
        (self.content, self.separator, columns, start) = (content, separator, Set(secrets), header.count)
    }

    private static func separator(of header: ArraySlice<UInt8>) -> UInt8? {
        [.comma, UInt8(ascii: "\t"), .semicolon].first { header.contains($0) }
    }

    private static func name(_ cell: ArraySlice<UInt8>) -> String {
        String(decoding: cell.filter { $0 != .quote }.trimmingSpacesAndTabs(), as: UTF8.self)
    }

    /// Whether content of another type is a table: its first line has only names, and its second one as many values.
    private static func isTable(_ cells: [String], content: [UInt8], end: Int, separator: UInt8) -> Bool {
        let areNames = cells.allSatisfy { cell in
            !cell.isEmpty && cell.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_- .".utf8.contains($0) }
        }
        let second = content[end...].drop { $0.isSpaceTabOrLineEnd }.prefix { $0 != .lineFeed }
        return areNames && second.count { $0 == separator } == cells.count - 1
    }

    /// The content without the values of secret columns.
    func redact(found: inout Set<String>) -> [UInt8] {
        var result = Array(content[..<start])
        var (place, column) = (start, 0)
        while place < content.count {
            if endsCell(content[place]) {
                column = content[place] == separator ? column + 1 : 0
                result.append(content[place])
                place += 1
                continue
            }
            let end = endOfCell(from: place)
            result += hidden(content[place..<end], column: column, found: &found)
            place = end
        }
        return result
    }

    private func hidden(_ cell: ArraySlice<UInt8>, column: Int, found: inout Set<String>) -> ArraySlice<UInt8> {
        guard columns.contains(column) else { return cell }
        let isQuoted = cell.count > 1 && cell.first == .quote && cell.last == .quote
        let inner = isQuoted ? cell.dropFirst().dropLast() : cell
        if inner.isEmpty || inner.elementsEqual(SecretScan.placeholder) { return cell }
        found.insert(String(decoding: inner, as: UTF8.self).replacing("\"\"", with: "\""))
        return isQuoted ? [.quote] + SecretScan.placeholder[...] + [.quote] : SecretScan.placeholder[...]
    }

    private func endsCell(_ byte: UInt8) -> Bool {
        byte == separator || byte == .lineFeed || byte == .carriageReturn
    }

    private func endOfCell(from start: Int) -> Int {
        var (place, isQuoted) = (start, content[start] == .quote)
        if isQuoted { place += 1 }
        while place < content.count {
            if content[place] == .quote { isQuoted.toggle() }
            if !isQuoted, endsCell(content[place]) { return place }
            place += 1
        }
        return place
    }
}
