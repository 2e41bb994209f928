// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Whom the handle's connections trust. Verification is on.
    func setUp(_ tls: TLSSettings, _ options: inout OptionWriter) {
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_SSLVERSION, Int(tls.minimumVersion.curlValue))
        setUp(tls.trust, &options)
    }

    private func setUp(_ trust: CertificateTrust, _ options: inout OptionWriter) {
        switch trust {
        case .system:
            if let file = CertificateTrust.fileOfEnvironment { trustOnly(file, &options) }
        case .file(let path):
            trustOnly(path, &options)
        case .folder(let path):
            options.setPointer(CURLOPT_CAINFO, nil)
            options.set(CURLOPT_CAPATH, path)
        case .pem:
            options.check(CURLE_NOT_BUILT_IN)
        }
    }

    /// Not these and the system's, but these: the folder that libcurl was built with is left out.
    private func trustOnly(_ file: String, _ options: inout OptionWriter) {
        options.set(CURLOPT_CAINFO, file)
        options.setPointer(CURLOPT_CAPATH, nil)
    }
}

extension CertificateTrust {
    fileprivate static var fileOfEnvironment: String? {
        guard let value = ccurl_environment("SSL_CERT_FILE") else { return nil }
        let path = String(cString: value)
        return path.isEmpty ? nil : path
    }
}

extension TLSVersion {
    fileprivate var curlValue: Int {
        switch self {
        case .v1_2: Int(CURL_SSLVERSION_TLSv1_2)
        case .v1_3: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}
