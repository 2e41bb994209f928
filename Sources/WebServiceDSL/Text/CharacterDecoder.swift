// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// Converts the characters of one charset to UTF-8.
protocol CharacterDecoder {
    /// Appends the characters that are complete.
    ///
    /// - Returns: The number of their bytes.
    /// - Throws: ``SwiftyError/Code/decodingFailed`` for bytes that are not a character.
    mutating func decode(_ bytes: Data, into text: inout Data) throws(SwiftyError) -> Int
}

extension Charset {
    /// - Throws: ``SwiftyError/Code/decodingFailed`` if the system does not know the charset.
    func makeDecoder() throws(SwiftyError) -> any CharacterDecoder {
        switch self {
        case .utf8: UTF8Check()
        case .ascii: ByteTable(name: "US-ASCII") { $0 < 0x80 ? UInt32($0) : nil }
        case .latin1: ByteTable(name: "ISO-8859-1") { UInt32($0) }
        case .latin9: ByteTable(name: "ISO-8859-15") { Self.latin9Differences[$0] ?? UInt32($0) }
        case .windows1252: ByteTable(name: "windows-1252") { Self.windows1252(of: $0) }
        case .utf16(let isLittleEndian): UTF16Units(isLittleEndian: isLittleEndian)
        case .utf32(let isLittleEndian): UTF32Units(isLittleEndian: isLittleEndian)
        case .system(let name): try SystemDecoder(name)
        }
    }

    /// Where ISO-8859-15 differs from ISO-8859-1.
    private static let latin9Differences: [UInt8: UInt32] = [
        0xA4: 0x20AC, 0xA6: 0x160, 0xA8: 0x161, 0xB4: 0x17D, 0xB8: 0x17E, 0xBC: 0x152, 0xBD: 0x153, 0xBE: 0x178,
    ]

    /// As in the WHATWG Encoding Standard: the five bytes without a character are controls.
    private static func windows1252(of byte: UInt8) -> UInt32 {
        (0x80...0x9F).contains(byte) ? windows1252Controls[Int(byte - 0x80)] : UInt32(byte)
    }

    private static let windows1252Controls: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]
}

extension Data {
    /// Appends a character as UTF-8. Returns `false` for a number that is not a character, such as a surrogate.
    fileprivate mutating func append(scalar number: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(number) else { return false }
        append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return true
    }
}

/// A charset in which each byte is a character.
private struct ByteTable: CharacterDecoder {
    let name: String
    let scalar: @Sendable (UInt8) -> UInt32?

    func decode(_ bytes: Data, into text: inout Data) throws(SwiftyError) -> Int {
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            guard let number = scalar(byte), text.append(scalar: number) else {
                throw TextDecoding.malformed("the text is not \(name)")
            }
        }
        return bytes.count
    }
}

/// Text that is UTF-8 already.
private struct UTF8Check: CharacterDecoder {
    func decode(_ bytes: Data, into text: inout Data) throws(SwiftyError) -> Int {
        let count = bytes.count - Self.incompleteCount(bytes)
        let whole = bytes.prefix(count)
        let isValid = whole.withUnsafeBytes { String(validating: $0, as: UTF8.self) != nil }
        guard isValid else { throw TextDecoding.malformed("the text is not UTF-8") }
        text.append(whole)
        return count
    }

    /// The number of bytes at the end that are the beginning of a longer character.
    private static func incompleteCount(_ bytes: Data) -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return index + 1 < length ? index + 1 : 0
        }
        return 0
    }
}

private struct UTF16Units: CharacterDecoder {
    let isLittleEndian: Bool

    func decode(_ bytes: Data, into text: inout Data) throws(SwiftyError) -> Int {
        var index = bytes.startIndex
        while let unit = unit(bytes, at: index) {
            var (number, length) = (UInt32(unit), 2)
            if unit & 0xFC00 == 0xD800 {
                guard let low = self.unit(bytes, at: index + 2) else { break }
                guard low & 0xFC00 == 0xDC00 else { throw Self.malformed }
                (number, length) = (0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)), 4)
            }
            guard text.append(scalar: number) else { throw Self.malformed }
            index += length
        }
        return index - bytes.startIndex
    }

    private func unit(_ bytes: Data, at index: Data.Index) -> UInt16? {
        guard bytes.endIndex - index >= 2 else { return nil }
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    private static let malformed = TextDecoding.malformed("the text is not UTF-16")
}

private struct UTF32Units: CharacterDecoder {
    let isLittleEndian: Bool

    func decode(_ bytes: Data, into text: inout Data) throws(SwiftyError) -> Int {
        var index = bytes.startIndex
        while bytes.endIndex - index >= 4 {
            let unit = bytes[index..<index + 4]
            let number = (isLittleEndian ? Array(unit.reversed()) : Array(unit)).reduce(0) { $0 << 8 | UInt32($1) }
            guard text.append(scalar: number) else { throw TextDecoding.malformed("the text is not UTF-32") }
            index += 4
        }
        return index - bytes.startIndex
    }
}
