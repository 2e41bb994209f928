// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// An IPv4 or IPv6 address as its bytes. An IPv4 address in its IPv6 form (`::ffff:10.0.0.1`) is the IPv4 address.
struct NumericAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// Returns `nil` unless the text is four full decimal numbers, or an IPv6 address, with or without brackets,
    /// without a zone.
    init?(_ text: some StringProtocol) {
        let isBracketed = text.first == "[" && text.last == "]"
        let inner = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
        if !isBracketed, let bytes = Self.parse(inner, AF_INET, count: 4) {
            self.bytes = bytes
        } else if let bytes = Self.parse(inner, AF_INET6, count: 16) {
            self.bytes = bytes.starts(with: Self.mapped) ? Array(bytes.dropFirst(12)) : bytes
        } else {
            return nil
        }
    }

    /// Parses an IPv4 address as `inet_aton` and most programs do: `0x7f.1`, `127.1` or `2130706433`.
    init?(abbreviated text: String) {
        var address = in_addr()
        guard !text.utf8.contains(0), inet_aton(text, &address) == 1 else { return nil }
        bytes = withUnsafeBytes(of: address.s_addr) { Array($0) }
    }

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // The text after a NUL would be ignored.
        guard !text.utf8.contains(0), inet_pton(family, text, &bytes) == 1 else { return nil }
        return bytes
    }
}

extension NumericAddress {
    /// The address as the host of a URI: four decimal numbers, or the form of RFC 5952 §4 in brackets.
    var uriHost: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        guard let zeros = Self.longestZeros(in: groups) else { return "[\(Self.text(of: groups[...]))]" }
        return "[\(Self.text(of: groups[..<zeros.lowerBound]))::\(Self.text(of: groups[zeros.upperBound...]))]"
    }

    private static func text(of groups: ArraySlice<UInt16>) -> String {
        groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The groups that `::` replaces: the first of the longest runs of zeros; `nil` if no run has two groups.
    private static func longestZeros(in groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 } else if index - start >= longest.count { longest = start..<index + 1 }
        }
        return longest.count > 1 ? longest : nil
    }
}

/// A block of addresses with the same first bits (CIDR, RFC 4632), or a single address.
struct AddressBlock: Sendable, Hashable {
    private let base: NumericAddress
    private let bits: Int

    /// Returns `nil` if the text is neither an address nor a block.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let base = NumericAddress(first) else { return nil }
        self.base = base
        let size = base.bytes.count * 8
        guard parts.count == 2 else {
            bits = size
            return
        }
        // The IPv6 form of IPv4 addresses has 96 bits before theirs.
        let offset = size == 32 && first.contains(":") ? 96 : 0
        guard parts[1].utf8.count <= 3, parts[1].utf8.isDecimal, let length = Int(parts[1]),
            (offset...size + offset).contains(length)
        else { return nil }
        bits = length - offset
    }

    func contains(_ address: NumericAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        return zip(base.bytes, address.bytes).enumerated().allSatisfy { index, pair in
            let significant = min(8, max(0, bits - index * 8))
            return (pair.0 ^ pair.1) >> UInt8(8 - significant) == 0
        }
    }
}
