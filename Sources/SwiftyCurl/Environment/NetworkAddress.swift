// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// An IPv4 or IPv6 address.
enum NetworkAddress: Hashable {
    case ipv4(UInt32)
    case ipv6(high: UInt64, low: UInt64)

    /// Makes an address from its 4 or 16 bytes; `nil` for any other number.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch bytes.count {
        case 4: self = .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[0..<4])))
        case 16: self = .ipv6(high: Self.number(bytes[0..<8]), low: Self.number(bytes[8..<16]))
        default: return nil
        }
    }

    /// Parses an address: four decimal numbers, or RFC 4291 without brackets.
    init?(_ text: String) {
        // A zero byte would end the text for C.
        if text.utf8.contains(0) { return nil }
        guard let address = text.withCString({ NetworkAddress($0) }) else { return nil }
        self = address
    }

    /// Parses an address.
    init?(_ text: UnsafePointer<CChar>) {
        let address = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes -> NetworkAddress? in
            guard let base = bytes.baseAddress else { return nil }
            return NetworkAddress(UnsafeBufferPointer(start: base, count: Int(ccurl_parse_address(text, base))))
        }
        guard let address else { return nil }
        self = address
    }

    private static func number(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
