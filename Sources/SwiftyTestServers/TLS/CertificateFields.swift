// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The fields of a certificate (RFC 5280 §4.1).
struct CertificateFields {
    let subject: String
    let issuer: String
    var names: [String] = []
    let publicKey: [UInt8]
    let validity: Range<Date>
    var isAuthority = false

    /// The certificate, signed with ECDSA and SHA-256.
    func signed(by key: SigningKey) -> [UInt8] {
        let content = encoding
        return DERWriter.sequence(content, Self.algorithm, DERWriter.bits(key.sign(content)))
    }

    /// ecdsa-with-SHA256 (RFC 5758 §3.2).
    private static let algorithm = DERWriter.sequence(
        DERWriter.identifier(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02)
    )

    private var encoding: [UInt8] {
        DERWriter.sequence(
            DERWriter.element(0xA0, DERWriter.integer([2])),  // version 3
            DERWriter.integer((0..<8).map { _ in UInt8.random(in: 1...0x7F) }),
            Self.algorithm,
            Self.name(issuer),
            DERWriter.sequence(Self.time(validity.lowerBound), Self.time(validity.upperBound)),
            Self.name(subject),
            publicKey,
            DERWriter.element(0xA3, DERWriter.sequence(basicConstraints, alternativeNames))
        )
    }

    private static func name(_ text: String) -> [UInt8] {
        let commonName = DERWriter.identifier(0x55, 0x04, 0x03)
        return DERWriter.sequence(DERWriter.set(DERWriter.sequence(commonName, DERWriter.text(text))))
    }

    /// A time in seconds of UTC, as `UTCTime` (§4.1.2.5.1): all validities of tests are before 2050.
    private static func time(_ date: Date) -> [UInt8] {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        // Without the century, and without the T between date and time.
        let text = date.formatted(style).dropFirst(2).filter { $0 != "T" }
        return DERWriter.element(0x17, Array(text.utf8))
    }

    private var basicConstraints: [UInt8] {
        let content = isAuthority ? DERWriter.sequence(DERWriter.yes) : DERWriter.sequence()
        return DERWriter.sequence(DERWriter.identifier(0x55, 0x1D, 0x13), DERWriter.yes, DERWriter.octets(content))
    }

    private var alternativeNames: [UInt8] {
        guard !names.isEmpty else { return [] }
        let entries = names.flatMap { name in
            Self.address(name).map { DERWriter.element(0x87, $0) } ?? DERWriter.element(0x82, Array(name.utf8))
        }
        let content = DERWriter.octets(DERWriter.element(0x30, entries))
        return DERWriter.sequence(DERWriter.identifier(0x55, 0x1D, 0x11), content)
    }

    /// The bytes of an IPv4 address; `nil` for a name.
    private static func address(_ name: String) -> [UInt8]? {
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let bytes = numbers.compactMap(\.self)
        return bytes.count == 4 && numbers.count == 4 ? bytes : nil
    }
}
