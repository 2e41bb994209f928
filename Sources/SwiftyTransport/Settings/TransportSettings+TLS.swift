// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

public import struct Foundation.Data

extension TransportSettings {
    /// The trusted authorities, pins and client identity of a transport, and its version of TLS (RFC 8446).
    ///
    ///     var settings = TransportSettings()
    ///     settings.tls.trust = .file("/etc/example/authorities.pem")
    ///     settings.tls.identity = .pem(certificateFile: "client.pem", keyFile: "client.key")
    ///
    /// Invalid settings fail loads before they connect, with ``SwiftyError/Code/invalidSettings`` or
    /// ``SwiftyError/Code/clientCertificateInvalid``: a malformed pin or host every load, an unusable file every load
    /// over TLS.
    ///
    /// The keys of ``pins`` and the elements of ``unverifiedHosts`` and ``unverifiedNames`` are whole host names or
    /// addresses without a port, in any spelling of their normal form (``TargetURI/host``); there are no wildcards.
    /// They are compared with the host of the URL, even if the connection leads through a proxy's tunnel or to an
    /// overridden address.
    public struct TLS: Sendable, Hashable {
        /// The trusted authorities.
        public var trust = Trust.system
        /// The certificate for servers that ask for one.
        public var identity: Identity?
        /// The lowest accepted version.
        public var minimumVersion = Version.v1_2
        /// The pins that servers' certificates must match in addition to being valid, by host.
        ///
        /// They are checked on every new connection, including resumed sessions, before the request is written to it.
        /// Another certificate fails the load with ``SwiftyError/Code/certificatePinMismatch``. A pinned connection is
        /// never used for a host with other pins. Pins do not affect URLs without TLS.
        public var pins: [String: Pins] = [:]
        /// Hosts whose certificates are not verified. For tests only: anyone on the network path can read and change
        /// everything.
        ///
        /// Pins also apply to them. ``TransferMetrics/isServerVerified`` reports the verification of each transfer.
        public var unverifiedHosts: Set<String> = []
        /// Hosts whose certificates may be for another name, such as servers that are reached by their addresses. The
        /// authority, the dates and the chain of the certificate are verified. Every holder of a certificate that
        /// ``trust`` accepts can pass for such a host: trust a single authority, or pin the key.
        ///
        /// Pins also apply to them. ``TransferMetrics/isServerVerified`` is `false`.
        public var unverifiedNames: Set<String> = []
        /// Whether responses and errors report the server's certificates and the parameters of TLS, as
        /// ``TransferMetrics/certificates`` and ``TransferMetrics/tlsParameters``.
        public var reportsCertificates = false

        /// Makes the default settings: the system's authorities, at least TLS 1.2, no client identity.
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
    /// The authorities whose certificates are accepted from servers and from proxies over TLS.
    ///
    /// Files are read when connections are made, and their content may be reused for a day.
    public enum Trust: Sendable, Hashable {
        /// The authorities of the file and the folder that the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR`
        /// name, or else the system's: those that libcurl was built to use, or the first bundle found where Linux
        /// distributions keep it.
        case system
        /// Only the authorities of a file in PEM form.
        case file(String)
        /// Only the authorities of a folder that `openssl rehash` has prepared.
        case folder(String)
        /// Only the authorities of data in PEM form.
        case pem(Data)
    }
}

extension TransportSettings.TLS {
    /// A client certificate with its private key.
    ///
    /// All connections of a transport present the same one to servers that ask. It is never presented to a proxy.
    public enum Identity: Sendable, Hashable {
        /// Files in PEM form. The chain of the certificate may follow it in its file.
        case pem(certificateFile: String, keyFile: String, password: String? = nil)
        /// A file in PKCS#12 form.
        case pkcs12(file: String, password: String)
    }
}

extension TransportSettings.TLS.Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the files, without the password.
    public var description: String {
        switch self {
        case .pem(let certificateFile, let keyFile, _): "PEM \(certificateFile), \(keyFile)"
        case .pkcs12(let file, _): "PKCS#12 \(file)"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// An empty mirror: `dump` shows only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension TransportSettings.TLS {
    /// Pins, one of which a server's certificate must match in addition to being valid. A second pin allows a key to be
    /// replaced.
    ///
    /// Only the server's own certificate counts, not the rest of its chain. An empty list, and a pin that is not
    /// `sha256//` with the base64 form of 32 bytes, fail every load of the transport with
    /// ``SwiftyError/Code/invalidSettings``.
    public enum Pins: Sendable, Hashable {
        /// SHA-256 digests of public keys (SubjectPublicKeyInfo), each as `sha256//` and base64, as in libcurl and RFC
        /// 7469.
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

    /// A pin in its normal form; `nil` if it is malformed.
    package static func normalized(_ pin: String) -> String? {
        guard pin.hasPrefix(prefix), let digest = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            digest.count == 32
        else { return nil }
        return prefix + digest.base64EncodedString()
    }

    private static let prefix = "sha256//"
}
