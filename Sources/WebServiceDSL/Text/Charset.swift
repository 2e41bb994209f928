// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// The character encoding of text, by its name in Content-Type (RFC 9110 §8.3.2).
enum Charset: Equatable, Sendable {
    case utf8, ascii, latin1, latin9, windows1252
    /// Big-endian, unless a byte order mark says otherwise (RFC 2781 §3.3).
    case utf16(isLittleEndian: Bool)
    case utf32(isLittleEndian: Bool)
    /// Another one, which the system may know by this name.
    case system(String)

    /// - Parameter name: The name of a charset, in any case of letters; its aliases that are in use are known.
    init(name: String) {
        let name = name.lowercased()
        self = Self.known[name] ?? .system(name)
    }

    private static let known: [String: Charset] = [
        "utf-8": .utf8, "utf8": .utf8,
        "us-ascii": .ascii, "ascii": .ascii, "ansi_x3.4-1968": .ascii, "iso646-us": .ascii,
        "iso-8859-1": .latin1, "iso8859-1": .latin1, "iso_8859-1": .latin1, "latin1": .latin1, "l1": .latin1,
        "iso-8859-15": .latin9, "iso8859-15": .latin9, "iso_8859-15": .latin9, "latin-9": .latin9, "latin9": .latin9,
        "windows-1252": .windows1252, "cp1252": .windows1252, "x-cp1252": .windows1252,
        "utf-16": .utf16(isLittleEndian: false), "utf-16be": .utf16(isLittleEndian: false),
        "utf-16le": .utf16(isLittleEndian: true),
        "utf-32": .utf32(isLittleEndian: false), "utf-32be": .utf32(isLittleEndian: false),
        "utf-32le": .utf32(isLittleEndian: true),
    ]

    /// The charset that a media type names; `nil` if it names none.
    init?(ofContentType field: String?) {
        guard let field else { return nil }
        var scanner = ParameterScanner(field)
        _ = scanner.skipToParameters()
        while let (name, value) = scanner.next() {
            if name.lowercased() == "charset", !value.isEmpty {
                self.init(name: value)
                return
            }
        }
        return nil
    }

    /// The byte order mark at the beginning of text, which tells its charset (RFC 3629 §6; Unicode §23.8), and its
    /// length.
    ///
    /// - Parameter bytes: At least four bytes, or all of the text.
    static func mark(of bytes: some Collection<UInt8>) -> (charset: Charset, length: Int)? {
        let start = Array(bytes.prefix(4))
        if start == [0xFF, 0xFE, 0, 0] { return (.utf32(isLittleEndian: true), 4) }
        if start == [0, 0, 0xFE, 0xFF] { return (.utf32(isLittleEndian: false), 4) }
        if start.starts(with: [0xFF, 0xFE]) { return (.utf16(isLittleEndian: true), 2) }
        if start.starts(with: [0xFE, 0xFF]) { return (.utf16(isLittleEndian: false), 2) }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        return nil
    }

    /// Whether text of this charset may begin with a byte order mark.
    var hasMarks: Bool { accepts(markOf: self) }

    /// Whether text of this charset may begin with that mark. With another charset, its bytes are characters.
    func accepts(markOf other: Charset) -> Bool {
        switch (self, other) {
        case (.utf8, .utf8), (.utf16, .utf16), (.utf32, .utf32): true
        default: false
        }
    }
}
