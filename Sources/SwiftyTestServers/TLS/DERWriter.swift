// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Writes elements of a DER encoding (ITU-T X.690 §10.1).
enum DERWriter {
    /// An element with a tag of one byte.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap(\.self)) }

    static func set(_ elements: [UInt8]...) -> [UInt8] { element(0x31, elements.flatMap(\.self)) }

    static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }

    static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    static func bits(_ content: [UInt8]) -> [UInt8] { element(0x03, [0] + content) }

    static let yes = element(0x01, [0xFF])

    /// An object identifier, given by its encoded bytes.
    static func identifier(_ bytes: UInt8...) -> [UInt8] { element(0x06, bytes) }

    /// A positive integer of any length.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(0x02, digits.first.map { $0 < 0x80 } ?? false ? digits : [0] + digits)
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var (bytes, rest): ([UInt8], Int) = ([], count)
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
