// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Data
public import struct Foundation.Date

/// A certificate of the chain that a server sent (RFC 5280).
///
/// The chain need not be the one that the server was verified by: only its first certificate is proven to be the
/// server's.
public struct ServerCertificate: Sendable, Hashable {
    /// The name of the owner, as in `CN = example.com`.
    public let subject: String
    /// The name of the authority that signed the certificate.
    public let issuer: String
    /// The start of its validity; `nil` if it cannot be read.
    public let notBefore: Date?
    /// The end of its validity; `nil` if it cannot be read.
    public let notAfter: Date?
    /// The certificate in DER form.
    public let der: Data
    /// The SHA-256 digest of the certificate for ``TransportSettings/TLS/Pins/certificates(_:)``: `sha256//` and
    /// base64.
    public let pin: String
    /// The SHA-256 digest of the public key for ``TransportSettings/TLS/Pins/publicKeys(_:)``; `nil` if the key cannot
    /// be read.
    public let publicKeyPin: String?

    /// Makes a certificate from its DER form and the names of owner and issuer.
    public init(subject: String, issuer: String, der: Data) {
        let bytes = Array(der)
        let fields = CertificateFields(bytes)
        self.subject = subject
        self.issuer = issuer
        self.der = der
        notBefore = fields?.notBefore
        notAfter = fields?.notAfter
        pin = TransportSettings.TLS.Pins.pin(of: bytes)
        publicKeyPin = fields.map { TransportSettings.TLS.Pins.pin(of: $0.publicKey) }
    }

    /// The certificate in PEM form (RFC 7468).
    public var pem: String {
        let lines = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }
}

extension ServerCertificate: CustomStringConvertible {
    /// One line such as `CN = example.com, issued by O = Example, sha256//…`.
    public var description: String { Redaction.oneLine("\(subject), issued by \(issuer), \(pin)") }
}

extension SwiftyError {
    /// The certificates that the server presented in the failed transfer, its own first; empty if unknown.
    ///
    /// They are known if the settings ask for them (``TransportSettings/TLS/reportsCertificates``), and after a failure
    /// of TLS if the settings pin a host. If the TLS library refused the chain, libcurl no longer has it.
    public var certificates: [ServerCertificate] { transfer?.certificates ?? [] }
}

/// The parts of a certificate that Swifty reads (RFC 5280 §4.1). Verification is left to the TLS library.
struct CertificateFields {
    let notBefore: Date?
    let notAfter: Date?
    /// The encoded SubjectPublicKeyInfo, whose digest is the pin of a public key.
    let publicKey: ArraySlice<UInt8>

    /// Returns `nil` if the bytes are not a certificate.
    init?(_ der: [UInt8]) {
        let sequence: UInt8 = 0x30
        var outer = DERReader(der[...])
        guard let certificate = outer.next(sequence) else { return nil }
        var parts = DERReader(certificate.content)
        guard let signedPart = parts.next(sequence) else { return nil }
        var fields = DERReader(signedPart.content)
        // The version is optional: certificates of version 1 have none.
        _ = fields.next(0xA0)
        guard fields.next(0x02) != nil, fields.next(sequence) != nil, fields.next(sequence) != nil,
            let validity = fields.next(sequence), fields.next(sequence) != nil, let key = fields.next(sequence)
        else { return nil }
        var times = DERReader(validity.content)
        notBefore = times.next().flatMap(Self.date)
        notAfter = times.next().flatMap(Self.date)
        publicKey = key.encoding
    }

    /// The date of a UTCTime or a GeneralizedTime in the form that certificates must have: `YYMMDDHHMMSSZ`, with four
    /// digits for the year in the latter (RFC 5280 §4.1.2.5).
    private static func date(_ element: DERReader.Element) -> Date? {
        let yearDigits = element.tag == 0x17 ? 2 : 4
        let digits = element.content.dropLast().map { Int($0) - 0x30 }
        guard element.tag == 0x17 || element.tag == 0x18, element.content.last == UInt8(ascii: "Z"),
            digits.count == yearDigits + 10, digits.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        let year = digits.prefix(yearDigits).reduce(0) { $0 * 10 + $1 }
        let rest = stride(from: yearDigits, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        let century = yearDigits == 4 ? 0 : year < 50 ? 2000 : 1900
        guard (1...12).contains(rest[0]) else { return nil }
        let date = CalendarDate(year: century + year, month: rest[0], day: rest[1])
        let seconds = date.secondsSince1970(hour: rest[2], minute: rest[3], second: rest[4])
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
