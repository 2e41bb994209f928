// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import SwiftyTransport

package import struct Foundation.Data

/// Converts text in any charset to UTF-8, part by part. Nothing is replaced: bytes that are not text are an error.
package struct TextDecoding {
    private enum State {
        /// The charset that was announced; the first bytes may be a byte order mark.
        case beginning(Charset?)
        case decoding(any CharacterDecoder)
    }

    private var state: State
    /// The bytes of an incomplete byte order mark or character.
    private var rest = Data()

    /// - Parameter contentType: The media type of the text, which may name a charset; UTF-8 is assumed without one.
    package init(contentType: String?) {
        state = .beginning(Charset(ofContentType: contentType))
    }

    /// Whether the media type names a charset in which text is not UTF-8.
    package static func isNeeded(for contentType: String?) -> Bool {
        switch Charset(ofContentType: contentType) {
        case nil, .utf8, .ascii: false
        default: true
        }
    }

    /// The text of a part as UTF-8, without a byte order mark, and without an incomplete character at its end.
    ///
    /// - Throws: ``SwiftyError/Code/decodingFailed`` for bytes that are not text in the charset, and for an unknown
    ///   charset.
    package mutating func decode(_ part: Data) throws(SwiftyError) -> Data {
        try decode(part, isEnd: false)
    }

    /// The rest of the text.
    package mutating func finish() throws(SwiftyError) -> Data {
        let text = try decode(Data(), isEnd: true)
        guard rest.isEmpty else { throw Self.malformed("the text ends within a character") }
        return text
    }

    private mutating func decode(_ part: Data, isEnd: Bool) throws(SwiftyError) -> Data {
        rest.append(part)
        if case .beginning(let charset) = state {
            guard rest.count >= 4 || isEnd || charset?.hasMarks == false else { return Data() }
            state = .decoding(try begin(charset))
        }
        guard case .decoding(var decoder) = state else { return Data() }
        var text = Data()
        let count = try decoder.decode(rest, into: &text)
        state = .decoding(decoder)
        rest = Data(rest.dropFirst(count))
        return text
    }

    /// Drops the byte order mark, and chooses the charset: that of the media type, or else that of the mark.
    private mutating func begin(_ charset: Charset?) throws(SwiftyError) -> any CharacterDecoder {
        if let mark = Charset.mark(of: rest), charset?.accepts(markOf: mark.charset) ?? true {
            rest = Data(rest.dropFirst(mark.length))
            return try mark.charset.makeDecoder()
        }
        return try (charset ?? .utf8).makeDecoder()
    }

    static func malformed(_ reason: String) -> SwiftyError {
        SwiftyError(.decodingFailed, stage: .decoding, sent: .responded, reason: reason)
    }
}

extension TextDecoding {
    /// The whole text.
    ///
    /// - Throws: As ``decode(_:)``.
    package static func text(_ data: Data, contentType: String?) throws(SwiftyError) -> String {
        var decoding = TextDecoding(contentType: contentType)
        var text = try decoding.decode(data)
        text.append(try decoding.finish())
        // Every decoder produces UTF-8.
        return text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
