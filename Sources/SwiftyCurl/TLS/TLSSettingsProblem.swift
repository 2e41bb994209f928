// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// Why TLS settings cannot be used.
struct TLSSettingsProblem: Error, Equatable {
    var code = SwiftyError.Code.invalidSettings
    let reason: String
}

extension TLSSettingsProblem {
    /// Looks at the files that the settings name.
    static func check(_ settings: TransportSettings.TLS) throws(TLSSettingsProblem) {
        try check(TrustStore(settings.trust))
        switch settings.identity {
        case nil: break
        case .pem(let certificateFile, let keyFile, _):
            try check(identityFile: certificateFile)
            try check(identityFile: keyFile)
        case .pkcs12(let file, _): try check(identityFile: file)
        }
    }

    private static func check(_ store: TrustStore) throws(TLSSettingsProblem) {
        switch store {
        case .builtIn: break
        case .files(let file?, _):
            if let problem = FileCheck.problem(ofAuthorities: file) { throw unusable("file", file, problem) }
        case .files(nil, let folder):
            guard let folder, let problem = FileCheck.problem(ofAuthorityFolders: folder) else { return }
            throw unusable("folder", folder, problem)
        case .pem(let data):
            if FileCheck.holdsCertificate(data) { return }
            throw TLSSettingsProblem(reason: "the authorities' text holds no certificate in PEM form")
        }
    }

    private static func unusable(_ kind: String, _ path: String, _ problem: String) -> TLSSettingsProblem {
        TLSSettingsProblem(reason: "the \(kind) of authorities \"\(path)\" \(problem)")
    }

    private static func check(identityFile path: String) throws(TLSSettingsProblem) {
        guard let problem = FileCheck.problem(readingFile: path) else { return }
        throw TLSSettingsProblem(
            code: .clientCertificateInvalid,
            reason: "the client certificate's file \"\(path)\" \(problem)"
        )
    }
}
