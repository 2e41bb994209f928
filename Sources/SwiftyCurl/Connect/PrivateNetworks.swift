// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkAddress {
    /// Whether the address belongs to the public internet, by IANA's registries of special addresses (RFC 6890).
    ///
    /// An IPv6 address that contains an IPv4 address is as public as that one, because a translator connects there.
    var isPublic: Bool {
        switch self {
        case .ipv4(let address): !PrivateNetworks.ipv4.contains { $0.contains(address) }
        case .ipv6(let high, let low): Self.isPublic(high, low)
        }
    }

    private static func isPublic(_ high: UInt64, _ low: UInt64) -> Bool {
        let lowest = UInt32(truncatingIfNeeded: low)
        // Mapped, ::ffff:0:0/96, and translated by NAT64, 64:ff9b::/96.
        if high == 0, low >> 32 == 0xFFFF { return NetworkAddress.ipv4(lowest).isPublic }
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return NetworkAddress.ipv4(lowest).isPublic }
        // All public addresses are in 2000::/3.
        guard high >> 61 == 0b001, !PrivateNetworks.ipv6.contains(where: { $0.contains(high) }) else { return false }
        return embedded(high, low).allSatisfy { NetworkAddress.ipv4($0).isPublic }
    }

    /// The IPv4 addresses that a tunnel would send to: 6to4 (RFC 3056), Teredo (RFC 4380), ISATAP (RFC 5214).
    private static func embedded(_ high: UInt64, _ low: UInt64) -> [UInt32] {
        let lowest = UInt32(truncatingIfNeeded: low)
        var found: [UInt32] = []
        if high >> 48 == 0x2002 { found.append(UInt32(truncatingIfNeeded: high >> 16)) }
        if high >> 32 == 0x2001_0000 { found += [UInt32(truncatingIfNeeded: high), ~lowest] }
        if low >> 32 & ~0x0200_0000 == 0x0000_5EFE { found.append(lowest) }
        return found
    }
}

/// The networks that are not public.
private enum PrivateNetworks {
    struct IPv4 {
        let prefix: UInt32
        let length: UInt32

        init(_ first: UInt32, _ second: UInt32, _ third: UInt32, _ length: UInt32) {
            prefix = first << 24 | second << 16 | third << 8
            self.length = length
        }

        func contains(_ address: UInt32) -> Bool {
            (address ^ prefix) >> (32 - length) == 0
        }
    }

    /// A network whose prefix is in the upper half.
    struct IPv6 {
        let prefix: UInt64
        let length: UInt64

        func contains(_ high: UInt64) -> Bool {
            (high ^ prefix) >> (64 - length) == 0
        }
    }

    static let ipv4 = [
        IPv4(0, 0, 0, 8), IPv4(10, 0, 0, 8), IPv4(100, 64, 0, 10), IPv4(127, 0, 0, 8), IPv4(169, 254, 0, 16),
        IPv4(172, 16, 0, 12), IPv4(192, 0, 0, 24), IPv4(192, 0, 2, 24), IPv4(192, 88, 99, 24), IPv4(192, 168, 0, 16),
        IPv4(198, 18, 0, 15), IPv4(198, 51, 100, 24), IPv4(203, 0, 113, 24), IPv4(224, 0, 0, 4), IPv4(240, 0, 0, 4),
    ]

    /// Within 2000::/3: protocol assignments except Teredo, and documentation.
    static let ipv6 = [
        IPv6(prefix: 0x2001_0001_0000_0000, length: 32), IPv6(prefix: 0x2001_0002_0000_0000, length: 31),
        IPv6(prefix: 0x2001_0004_0000_0000, length: 30), IPv6(prefix: 0x2001_0008_0000_0000, length: 29),
        IPv6(prefix: 0x2001_0010_0000_0000, length: 28), IPv6(prefix: 0x2001_0020_0000_0000, length: 27),
        IPv6(prefix: 0x2001_0040_0000_0000, length: 26), IPv6(prefix: 0x2001_0080_0000_0000, length: 25),
        IPv6(prefix: 0x2001_0100_0000_0000, length: 24), IPv6(prefix: 0x2001_0DB8_0000_0000, length: 32),
        IPv6(prefix: 0x3FFF_0000_0000_0000, length: 20),
    ]
}
