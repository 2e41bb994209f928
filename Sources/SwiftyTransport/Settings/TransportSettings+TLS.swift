// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Data

extension TransportSettings {
    /// Whom a transport trusts, and who it is itself (RFC 8446).
    ///
    ///     var settings = TransportSettings()
    ///     settings.tls.trust = .file("/etc/example/authorities.pem")
    ///     settings.tls.identity = .pem(certificateFile: "client.pem", keyFile: "client.key")
    ///
    /// Settings that cannot be used fail every load over TLS before it connects: a file that is missing with
    /// ``SwiftyError/Code/invalidSettings`` or ``SwiftyError/Code/clientCertificateInvalid``, so do a malformed pin or host.
    ///
    /// The keys of ``pins`` and the elements of ``unverifiedHosts`` are whole host names or addresses, without a port, in any
    /// spelling of their normal form (``TargetURI/host``); there are no wildcards. A host counts that stands in the URL, wherever
    /// its connection leads (through a proxy's tunnel, to an overridden address).
    public struct TLS: Sendable, Hashable {
        /// The authorities whose certificates are accepted.
        public var trust = Trust.system
        /// The certificate that is shown to servers that ask for one.
        public var identity: Identity?
        /// The lowest version that is spoken.
        public var minimumVersion = Version.v1_2
        /// What servers' certificates must be, beside valid; by host.
        ///
        /// Checked whenever a connection is made, before the request is written to it, resumed sessions included; another
        /// certificate fails the load with ``SwiftyError/Code/certificatePinMismatch``. A pinned connection is never used for a
        /// host with other pins. URLs without TLS are not concerned.
        public var pins: [String: Pins] = [:]
        /// Hosts whose certificates are not verified. For tests: whoever is on the way can read and change everything.
        ///
        /// Pins hold for them, too. ``TransferMetrics/isServerVerified`` tells of each transfer.
        public var unverifiedHosts: Set<String> = []
        /// Whether responses and errors tell the certificates that the server showed: ``TransferMetrics/certificates``.
        public var reportsCertificates = false

        /// Makes the default settings: the system's authorities, at least TLS 1.2, no certificate of our own.
        public init() {}
    }
}

extension TransportSettings.TLS {
    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case v1_2
        /// TLS 1.3 (RFC 8446).
        case v1_3
    }
}

extension TransportSettings.TLS {
    /// The authorities whose certificates are accepted, of servers and of proxies that are spoken to over TLS.
    ///
    /// Files are read when connections are made; what was read may be used for a day.
    public enum Trust: Sendable, Hashable {
        /// Those of the file and the folder that the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR` name, else the
        /// system's: those that libcurl was built to use, or the first bundle at the places where Linux distributions keep it.
        case system
        /// Those of a file in PEM form, and no others.
        case file(String)
        /// Those of a folder that `openssl rehash` has prepared, and no others.
        case folder(String)
        /// Those of a text in PEM form, and no others.
        case pem(Data)
    }
}

extension TransportSettings.TLS {
    /// A client's certificate with its private key.
    ///
    /// Every connection of a transport shows the same one to servers that ask; a proxy is never shown it.
    public enum Identity: Sendable, Hashable {
        /// Files in PEM form; the certificate's chain may follow it in its file.
        case pem(certificateFile: String, keyFile: String, password: String? = nil)
        /// A file in PKCS#12 form.
        case pkcs12(file: String, password: String)
    }
}

extension TransportSettings.TLS.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The files, without the password.
    public var description: String {
        switch self {
        case .pem(let certificateFile, let keyFile, _): "PEM \(certificateFile), \(keyFile)"
        case .pkcs12(let file, _): "PKCS#12 \(file)"
        }
    }

    /// As ``description``.
    public var debugDescription: String { description }

    /// Shows `dump` no more than ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension TransportSettings.TLS {
    /// What a server's certificate must be, beside valid: one of these. Give more than one, so that a key can be replaced.
    ///
    /// Only the server's own certificate counts, not those that it sends along. An empty list and a digest that is not
    /// `sha256//` with the base64 form of 32 bytes fail every load of the transport with
    /// ``SwiftyError/Code/invalidSettings``.
    public enum Pins: Sendable, Hashable {
        /// SHA-256 digests of public keys (SubjectPublicKeyInfo), each as `sha256//` and base64, as libcurl and RFC 7469 have
        /// them.
        case publicKeys([String])
        /// SHA-256 digests of whole certificates (DER), each as `sha256//` and base64.
        case certificates([String])
    }
}

extension TransportSettings.TLS.Pins {
    /// The pin of a key or a certificate in DER form.
    package static func pin(of der: some Collection<UInt8>) -> String {
        prefix + Data(SHA256.hash(Array(der))).base64EncodedString()
    }

    /// The digest that a pin names, in the one way to write it; nil if it is malformed.
    package static func normalized(_ pin: String) -> String? {
        guard pin.hasPrefix(prefix), let digest = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            digest.count == 32
        else { return nil }
        return prefix + digest.base64EncodedString()
    }

    private static let prefix = "sha256//"
}
