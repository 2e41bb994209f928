// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

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
