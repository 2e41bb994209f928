// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftySupport

/// A certificate authority that exists only for a test; the client is told to trust it.
///
///     let authority = try TestAuthority()
///     let server = try LoopbackServer(tls: authority.server())
///     var settings = TransportSettings()
///     settings.tls.trust = .pem(authority.pem)
///     let swifty = Swifty(transport: settings)
///     // … send requests to server.url, which begins with https …
///
/// Each authority has a new key, which exists only in memory, and its certificates expire after a day.
public final class TestAuthority: Sendable {
    private let key: SigningKey
    private let name = "Swifty test authority \(UInt32.random(in: .min ... .max))"
    let certificate: [UInt8]

    /// Makes an authority with a new key.
    ///
    /// - Throws: ``ServerTLS/UnavailableError`` if OpenSSL is not installed.
    public init() throws(ServerTLS.UnavailableError) {
        key = try SigningKey()
        let fields = CertificateFields(
            subject: name,
            issuer: name,
            publicKey: key.publicKey,
            validity: Self.day,
            isAuthority: true
        )
        certificate = fields.signed(by: key)
    }

    /// The certificate of the authority in PEM, for ``TransportSettings/TLS/trust-swift.property``.
    public var pem: Data { Self.pem("CERTIFICATE", certificate) }

    /// The settings of a server with a certificate of this authority.
    ///
    /// - Parameters:
    ///   - names: The names and IPv4 addresses in the certificate.
    ///   - validity: The time in which the certificate is valid; an hour before and a day after now by default.
    /// - Throws: ``ServerTLS/UnavailableError`` if OpenSSL is not installed.
    public func server(
        names: [String] = ["localhost", "127.0.0.1"],
        validity: Range<Date>? = nil
    ) throws(ServerTLS.UnavailableError) -> ServerTLS {
        let key = try SigningKey()
        let certificate = issue(names, validity ?? Self.day, key)
        return ServerTLS(certificate: certificate, key: key)
    }

    /// A certificate of this authority for a client, and its key, both in PEM, for
    /// ``TransportSettings/TLS/identity-swift.property``.
    ///
    /// - Throws: ``ServerTLS/UnavailableError`` if OpenSSL is not installed.
    public func client(name: String = "client") throws(ServerTLS.UnavailableError) -> (certificate: Data, key: Data) {
        let key = try SigningKey()
        let certificate = issue([name], Self.day, key)
        return (Self.pem("CERTIFICATE", certificate), Self.pem("EC PRIVATE KEY", key.encoding))
    }

    private func issue(_ names: [String], _ validity: Range<Date>, _ key: SigningKey) -> [UInt8] {
        let fields = CertificateFields(
            subject: names.first ?? "",
            issuer: name,
            names: names,
            publicKey: key.publicKey,
            validity: validity
        )
        return fields.signed(by: self.key)
    }

    private static var day: Range<Date> { Date(timeIntervalSinceNow: -3_600)..<Date(timeIntervalSinceNow: 86_400) }

    /// The textual encoding of a key or a certificate (RFC 7468).
    private static func pem(_ label: String, _ bytes: [UInt8]) -> Data {
        let lines = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Data("-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n".utf8)
    }
}
