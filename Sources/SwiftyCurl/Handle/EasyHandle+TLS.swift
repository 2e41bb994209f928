// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Sets the trusted authorities and the client identity. Verification is on.
    ///
    /// A proxy that uses TLS is trusted by the same authorities; the client identity is not sent to it.
    func setUp(_ tls: TransportSettings.TLS, _ options: inout OptionWriter) {
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_SSLVERSION, tls.minimumVersion.curlValue)
        let store = TrustStore(tls.trust)
        options.set(store, CURLOPT_CAINFO, CURLOPT_CAPATH, blob: CURLOPT_CAINFO_BLOB)
        if loop.environment.proxyRoutes?.useTLS ?? false {
            options.set(CURLOPT_PROXY_SSLVERSION, tls.minimumVersion.curlValue)
            options.set(store, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH, blob: CURLOPT_PROXY_CAINFO_BLOB)
        }
        if let identity = tls.identity { options.set(identity) }
        applied.readsCertificates = tls.reportsCertificates || !tls.pins.isEmpty
        if applied.readsCertificates { options.set(CURLOPT_CERTINFO, 1) }
    }

    /// Sets the rules of this host. libcurl reuses a connection, and resumes a session, only if all of these are the
    /// same as when it was made.
    func apply(_ rules: HostRules?, to options: inout OptionWriter) {
        guard applied.hostRules != rules else { return }
        applied.hostRules = rules
        let isVerified = rules?.isVerified ?? true
        options.set(CURLOPT_SSL_VERIFYPEER, isVerified ? 1 : 0)
        options.set(CURLOPT_SSL_VERIFYHOST, isVerified ? 2 : 0)
        options.set(CURLOPT_PINNEDPUBLICKEY, rules?.pins?.publicKeyOption)
    }
}
