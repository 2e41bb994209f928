// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

extension EasyHandle {
    /// Sets the trusted authorities and the client identity. Verification is on.
    ///
    /// A proxy that uses TLS is trusted by the same authorities; the client identity is not sent to it.
    func setUp(_ tls: TransportSettings.TLS, _ options: inout OptionWriter) {
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_SSLVERSION, tls.minimumVersion.curlValue)
        let store = TrustStore(tls.trust)
        setUp(store, CURLOPT_CAINFO, CURLOPT_CAPATH, blob: CURLOPT_CAINFO_BLOB, &options)
        if loop.environment.proxyRoutes?.useTLS ?? false {
            options.set(CURLOPT_PROXY_SSLVERSION, tls.minimumVersion.curlValue)
            setUp(store, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH, blob: CURLOPT_PROXY_CAINFO_BLOB, &options)
        }
        if let identity = tls.identity { setUp(identity, &options) }
        applied.readsCertificates = tls.reportsCertificates || !tls.pins.isEmpty
        if applied.readsCertificates { options.set(CURLOPT_CERTINFO, 1) }
    }

    /// Replaces libcurl's built-in authorities.
    private func setUp(
        _ store: TrustStore,
        _ fileOption: CURLoption,
        _ folderOption: CURLoption,
        blob blobOption: CURLoption,
        _ options: inout OptionWriter
    ) {
        switch store {
        case .builtIn: break
        case .files(let file, let folder):
            options.set(fileOption, file)
            options.set(folderOption, folder)
        case .pem(let data):
            options.set(fileOption, nil)
            options.set(folderOption, nil)
            options.set(blobOption, copying: data)
        }
    }

    /// Sets the client identity, always with a password: without one OpenSSL would prompt at the terminal and wait.
    private func setUp(_ identity: TransportSettings.TLS.Identity, _ options: inout OptionWriter) {
        switch identity {
        case .pem(let certificateFile, let keyFile, let password):
            options.set(CURLOPT_SSLCERT, certificateFile)
            options.set(CURLOPT_SSLKEY, keyFile)
            options.set(CURLOPT_KEYPASSWD, password ?? "")
        case .pkcs12(let file, let password):
            options.set(CURLOPT_SSLCERTTYPE, "P12")
            options.set(CURLOPT_SSLCERT, file)
            options.set(CURLOPT_KEYPASSWD, password)
        }
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

extension OptionWriter {
    fileprivate mutating func set(_ option: CURLoption, copying data: Data) {
        data.withUnsafeBytes { bytes in
            // Safety: libcurl copies the bytes, as the flag says, and only reads them.
            var blob = curl_blob(
                data: UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                len: bytes.count,
                flags: UInt32(CURL_BLOB_COPY)
            )
            setPointer(option, &blob)
        }
    }
}

extension TransportSettings.TLS.Pins {
    fileprivate var publicKeyOption: String? {
        if case .publicKeys(let pins) = self { pins.joined(separator: ";") } else { nil }
    }
}

extension TransportSettings.TLS.Version {
    fileprivate var curlValue: Int {
        switch self {
        case .v1_2: Int(CURL_SSLVERSION_TLSv1_2)
        case .v1_3: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}
