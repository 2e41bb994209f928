// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Whom a transport trusts, and who it is itself (RFC 8446).
public struct TLSSettings: Sendable, Hashable {
    /// The authorities whose certificates are accepted.
    public var trust = CertificateTrust.system
    /// The certificate that is shown to servers that ask for one.
    public var identity: ClientIdentity?
    /// The lowest version that is spoken.
    public var minimumVersion = TLSVersion.v1_2
    /// What servers' certificates must be, beside valid; by host.
    public var pins: [String: CertificatePins] = [:]
    /// Hosts whose certificates are not verified. For tests: whoever is on the way can read and change everything.
    public var unverifiedHosts: Set<String> = []
    /// Whether responses and errors tell the certificates that the server showed.
    public var reportsCertificates = false

    /// Makes the default settings: the system's authorities, at least TLS 1.2, no certificate of our own.
    public init() {}
}

/// The authorities whose certificates are accepted.
public enum CertificateTrust: Sendable, Hashable {
    /// Those of the file that the environment variable `SSL_CERT_FILE` names, else the system's.
    case system
    /// Those of a file in PEM form, and no others.
    case file(String)
    /// Those of a folder that `openssl rehash` has prepared, and no others.
    case folder(String)
    /// Those of a text in PEM form, and no others.
    case pem(Data)
}

/// A client's certificate with its private key.
public enum ClientIdentity: Sendable, Hashable {
    /// Files in PEM form; the certificate's chain may follow it in its file.
    case pem(certificateFile: String, keyFile: String, password: String? = nil)
    /// A file in PKCS#12 form.
    case pkcs12(file: String, password: String)
}

/// A version of TLS.
public enum TLSVersion: Sendable, Hashable {
    /// TLS 1.2 (RFC 5246).
    case v1_2
    /// TLS 1.3 (RFC 8446).
    case v1_3
}

/// What a server's certificate must be, beside valid: one of these. Give more than one, so that a key can be replaced.
public enum CertificatePins: Sendable, Hashable {
    /// SHA-256 digests of public keys (SubjectPublicKeyInfo), each as `sha256//` and base64, as libcurl and RFC 7469 have
    /// them.
    case publicKeys([String])
    /// SHA-256 digests of whole certificates (DER), each as `sha256//` and base64.
    case certificates([String])
}
