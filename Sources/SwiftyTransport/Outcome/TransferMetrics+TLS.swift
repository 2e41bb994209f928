// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransferMetrics {
    /// The parameters that the two sides have negotiated in a TLS handshake (RFC 8446 §2).
    public struct TLSParameters: Sendable, Hashable, Codable {
        /// The version, such as `TLSv1.3`.
        public var version: String
        /// The cipher suite in the spelling of the TLS library, such as `TLS_AES_256_GCM_SHA384`.
        public var cipherSuite: String
        /// The protocol that ALPN has chosen (RFC 7301), such as `h2`; `nil` if the server chose none.
        public var applicationProtocol: String?

        /// Makes parameters from their names.
        public init(version: String, cipherSuite: String, applicationProtocol: String? = nil) {
            self.version = version
            self.cipherSuite = cipherSuite
            self.applicationProtocol = applicationProtocol
        }
    }

    /// The facts about TLS that are collected only if the settings ask for them.
    package final class TLSReport: Sendable, Hashable {
        package let certificates: [ServerCertificate]
        package let parameters: TLSParameters?

        /// `nil` if there is nothing to report.
        package init?(certificates: [ServerCertificate], parameters: TLSParameters?) {
            if certificates.isEmpty, parameters == nil { return nil }
            (self.certificates, self.parameters) = (certificates, parameters)
        }

        package static func == (one: TLSReport, other: TLSReport) -> Bool {
            one === other || one.certificates == other.certificates && one.parameters == other.parameters
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(certificates)
            hasher.combine(parameters)
        }
    }
}
