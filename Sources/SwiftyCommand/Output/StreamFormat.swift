// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import WebServiceDSL

/// Prepares content that arrives in parts for printing.
///
/// Bytes are unchanged, except on a terminal: there they must be text, in the charset of their media type, and lines of
/// JSON get colours.
struct StreamFormat {
    private enum Mode {
        case bytes
        case text
        case lines(MessageText)
    }

    /// The largest line that gets colours.
    private static let lineLimit = 1 << 20

    private let isTerminal: Bool
    private var mode: Mode
    /// Converts another charset to UTF-8, for a terminal.
    private var decoding: TextDecoding?
    /// What cannot be printed yet: the beginning of a line or of a character.
    private var rest = Data()
    private var endsLine = true
    /// Whether the content is not text, and the terminal shows a note instead.
    private(set) var isRefused = false

    /// Keeps the bytes unchanged.
    init() {
        isTerminal = false
        mode = .bytes
    }

    /// The form for printing.
    ///
    /// - Parameter text: The colours; lines have them even if nothing is indented.
    init(mediaType: String?, isTerminal: Bool, _ text: MessageText) {
        self.isTerminal = isTerminal
        var text = text
        text.isFormatting = false
        if isTerminal, TextDecoding.isNeeded(for: mediaType) { decoding = TextDecoding(contentType: mediaType) }
        mode = Self.hasLines(mediaType) && text.style != nil ? .lines(text) : isTerminal ? .text : .bytes
    }

    /// Whether each line of the content is JSON.
    private static func hasLines(_ mediaType: String?) -> Bool {
        let name = mediaType?.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces) ?? ""
        return ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq"].contains(
            name
        )
            || ["application/jsonlines", "application/x-jsonlines", "text/x-ndjson"].contains(name)
    }

    /// Adds a part, and returns what to print now.
    mutating func add(_ part: Data) -> Data {
        if isRefused { return Data() }
        let bytes = rest + decoded(part)
        rest = Data()
        switch mode {
        case .bytes: return bytes
        case .text: return printed(text(bytes))
        case .lines(let text): return printed(lines(bytes, text))
        }
    }

    /// Returns what is left at the end of the content.
    mutating func end() -> Data {
        let last = rest
        rest = Data()
        if case .lines(let text) = mode, !last.isEmpty { return Self.line(last, text) + newline }
        guard isTerminal, !endsLine || !last.isEmpty else { return last }
        return last + newline
    }

    /// The part as UTF-8; unchanged, if it is not valid in its charset.
    private mutating func decoded(_ part: Data) -> Data {
        guard var decoding else { return part }
        do throws(SwiftyError) {
            let text = try decoding.decode(part)
            self.decoding = decoding
            return text
        } catch {
            self.decoding = nil
            return part
        }
    }

    private var newline: Data { Data("\n".utf8) }

    private mutating func printed(_ bytes: Data) -> Data {
        if let last = bytes.last { endsLine = last == UInt8(ascii: "\n") }
        return bytes
    }

    /// The text, without an incomplete character at its end.
    private mutating func text(_ bytes: Data) -> Data {
        for count in 0...min(3, bytes.count) {
            let whole = bytes.dropLast(count)
            // Only the bytes of a longer character can be incomplete.
            guard bytes.suffix(count).allSatisfy({ $0 >= 0x80 }) else { break }
            guard MessageText.isText(Data(whole)) else { continue }
            rest = Data(bytes.suffix(count))
            return Data(whole)
        }
        isRefused = true
        return Data("\(endsLine ? "" : "\n")(bytes that are not text; -o FILE saves them)\n".utf8)
    }

    /// The complete lines.
    private mutating func lines(_ bytes: Data, _ text: MessageText) -> Data {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            if bytes.count <= Self.lineLimit {
                rest = bytes
                return Data()
            }
            mode = isTerminal ? .text : .bytes
            return isTerminal ? self.text(bytes) : bytes
        }
        rest = Data(bytes[bytes.index(after: end)...])
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.reduce(into: Data()) { $0 += Self.line(Data($1), text) + newline }
    }

    private static func line(_ bytes: Data, _ text: MessageText) -> Data {
        if bytes.isEmpty { return bytes }
        let shown = text.content(bytes, mediaType: "application/json")
        return MessageText.isText(shown) ? shown : Data("(a line that is not text)".utf8)
    }
}
