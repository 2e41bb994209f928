// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data
public import struct Foundation.Date

/// A certificate that a server showed, or one that stands above it in the chain that it sent (RFC 5280).
///
/// It is what the server sent, which need not be what it was verified by: only the first certificate of a chain is proven
/// to be the server's.
public struct ServerCertificate: Sendable, Hashable {
    /// Whose certificate it is, as in `CN = example.com`.
    public let subject: String
    /// Who signed it.
    public let issuer: String
    /// From when on it is valid; `nil` if that cannot be read.
    public let notBefore: Date?
    /// Until when it is valid; `nil` if that cannot be read.
    public let notAfter: Date?
    /// The certificate in DER form.
    public let der: Data
    /// The SHA-256 digest of the certificate, as ``TransportSettings/TLS/Pins/certificates(_:)`` takes it: `sha256//` and base64.
    public let pin: String
    /// The SHA-256 digest of its public key, as ``TransportSettings/TLS/Pins/publicKeys(_:)`` takes it; `nil` if the key cannot be read.
    public let publicKeyPin: String?

    /// Makes a certificate of its DER form, and of the names as they are to be shown.
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
    /// As in `CN = example.com, issued by O = Example, sha256//…`, in one line.
    public var description: String { Redaction.oneLine("\(subject), issued by \(issuer), \(pin)") }
}

extension SwiftyError {
    /// The certificates that the server showed in the failed transfer, its own first; empty if they are not known.
    ///
    /// Known if the settings ask for them (``TransportSettings/TLS/reportsCertificates``) or pin a host, and the failure is not the
    /// TLS library's verdict on the chain: after that one libcurl no longer has it.
    public var certificates: [ServerCertificate] { transfer?.certificates ?? [] }
}
