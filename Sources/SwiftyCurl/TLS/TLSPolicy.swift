// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport
import Synchronization

/// The TLS settings of a transport, if they differ from the default ones.
///
/// Used on the callers' threads. Files are checked with every request until they have once been valid, so that an error
/// can be corrected while the program runs.
final class TLSPolicy: Sendable {
    private let settings: TransportSettings.TLS
    private let rules: Result<[String: HostRules], SwiftyError>
    private let hasValidFiles = Atomic(false)

    /// Returns `nil` if there is nothing to check and no host has rules.
    init?(_ settings: TransportSettings.TLS) {
        let isPlain =
            settings.trust == .system && !TrustStore.isNamedByEnvironment && settings.identity == nil
            && settings.pins.isEmpty && settings.unverifiedHosts.isEmpty && settings.unverifiedNames.isEmpty
        if isPlain { return nil }
        self.settings = settings
        rules = Result { () throws(SwiftyError) in try HostRules.rules(of: settings) }
    }

    /// The rules for the target of a request; `nil` if its host has none.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError`` if the settings cannot be used.
    func rules(for request: NetworkRequest) throws(SwiftyError) -> HostRules? {
        let rules = try rules.get()
        guard request.target.scheme == .https else { return nil }
        try checkFiles()
        return rules.isEmpty ? nil : rules[request.target.host]
    }
}

extension TLSPolicy {
    /// Checks the files that the settings name.
    private func checkFiles() throws(SwiftyError) {
        if hasValidFiles.load(ordering: .relaxed) { return }
        try check(TrustStore(settings.trust))
        switch settings.identity {
        case nil: break
        case .pem(let certificateFile, let keyFile, _):
            try check(identityFile: certificateFile)
            try check(identityFile: keyFile)
        case .pkcs12(let file, _): try check(identityFile: file)
        }
        hasValidFiles.store(true, ordering: .relaxed)
    }

    private func check(_ store: TrustStore) throws(SwiftyError) {
        switch store {
        case .builtIn: break
        case .files(let file?, _):
            if let error = FileCheck.error(ofAuthorities: file) { throw unusable("file", path: file, error: error) }
        case .files(nil, let folder):
            guard let folder, let error = FileCheck.error(ofAuthorityFolders: folder) else { return }
            throw unusable("folder", path: folder, error: error)
        case .pem(let data):
            if FileCheck.holdsCertificate(data) { return }
            throw .invalidSettings("the authorities' text holds no certificate in PEM form")
        }
    }

    private func unusable(_ kind: String, path: String, error: String) -> SwiftyError {
        .invalidSettings("the \(kind) of authorities \"\(path)\" \(error)")
    }

    private func check(identityFile path: String) throws(SwiftyError) {
        guard let error = FileContent.error(reading: path) else { return }
        throw SwiftyError(
            .clientCertificateInvalid,
            stage: .building,
            reason: "the client certificate's file \"\(path)\" cannot be read: \(error.reason)"
        )
    }
}
