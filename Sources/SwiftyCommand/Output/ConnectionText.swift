// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// The facts about a connection, for a person.
struct ConnectionText {
    let metrics: TransferMetrics

    /// The address of the peer; `nil` without a connection.
    var peer: String? {
        if metrics.remoteAddress.isEmpty { return nil }
        let isProxy = metrics.proxy == nil ? "" : " (proxy)"
        let reused = metrics.isConnectionReused ? ", reused" : ""
        return "\(metrics.remoteAddress) port \(metrics.remotePort)\(isProxy)\(reused)"
    }

    /// Version, cipher suite and ALPN; `nil` without TLS, and if they are unknown.
    var tls: String? {
        guard let parameters = metrics.tlsParameters else { return nil }
        let alpn = parameters.applicationProtocol.map { ", ALPN \($0)" } ?? ", no ALPN"
        return "\(parameters.version), \(parameters.cipherSuite)\(alpn)"
    }

    /// The server's own certificate; `nil` if it is unknown.
    var certificate: String? {
        guard let certificate = metrics.certificates.first else { return nil }
        let end = certificate.notAfter.map { ", expires \(Self.time($0))" } ?? ""
        return "\(certificate.subject); issuer \(certificate.issuer)\(end)"
    }

    /// Whether the server was verified; `nil` without TLS.
    var verification: String? { metrics.isServerVerified.map { $0 ? "verified" : "NOT VERIFIED" } }

    /// The lines before a request that -v prints, each with an asterisk, as in curl.
    var lines: String {
        let repetitions = metrics.repetitions > 0 ? "sent again by the transport: \(metrics.repetitions) times" : nil
        let secure = tls.map { "\($0)\(verification.map { ", \($0)" } ?? "")" } ?? verification
        return [peer, secure, certificate.map { "certificate \($0)" }, repetitions].compactMap { $0 }
            .map { "* \(VisibleText.line($0))\n" }.joined()
    }

    /// The time as in `2026-11-25 13:49:54 UTC`.
    static func time(_ date: Date) -> String {
        date.ISO8601Format(.iso8601(timeZone: .gmt, dateTimeSeparator: .space)).replacing("Z", with: "") + " UTC"
    }
}
