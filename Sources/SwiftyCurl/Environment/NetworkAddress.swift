// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// An IPv4 or IPv6 address as numbers, whose most significant byte is the first one of the address.
enum NetworkAddress: Hashable {
    case ipv4(UInt32)
    case ipv6(high: UInt64, low: UInt64)

    /// Parses an address: four decimal numbers for IPv4, the notation of RFC 4291 without brackets for IPv6.
    init?(_ text: String) {
        // C would take a zero byte for the end, and ignore what follows it.
        if text.utf8.contains(0) { return nil }
        self.init(writtenBy: { bytes in ccurl_parse_address(text, bytes) })
    }

    /// Makes an address of 4 or 16 bytes; `nil` for any other number of them.
    ///
    /// - Parameter write: Writes up to 16 bytes, and returns their number.
    init?(writtenBy write: (UnsafeMutablePointer<UInt8>) -> Int32) {
        let address = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes -> NetworkAddress? in
            guard let base = bytes.baseAddress else { return nil }
            switch write(base) {
            case 4: return .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[0..<4])))
            case 16: return .ipv6(high: Self.number(bytes[0..<8]), low: Self.number(bytes[8..<16]))
            default: return nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    private static func number(_ bytes: Slice<UnsafeMutableBufferPointer<UInt8>>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
