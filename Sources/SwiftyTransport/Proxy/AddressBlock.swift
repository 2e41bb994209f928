// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An IPv4 or IPv6 address as its bytes. An IPv4 address in its IPv6 form (`::ffff:10.0.0.1`) is the IPv4 address.
struct NumericAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// Returns nil for everything but four full decimal numbers and an IPv6 address, in brackets or not, without a zone.
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

    static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // A NUL would hide what follows it.
        guard !text.utf8.contains(0), inet_pton(family, text, &bytes) == 1 else { return nil }
        return bytes
    }
}

/// The addresses that begin with the same bits (CIDR, RFC 4632); one address is a block, too.
struct AddressBlock: Sendable, Hashable {
    private let base: NumericAddress
    private let bits: Int

    /// Returns nil if it is neither an address nor a block.
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
        guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy(\.isASCIIDigit), let length = Int(parts[1]),
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
