// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
