// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// The TLS settings of a transport, as far as they are more than the default ones.
///
/// Used on the callers' threads. Files are looked at until they were once found good: a mistake can be mended while the
/// program runs.
final class TLSPolicy: Sendable {
    private let settings: TransportSettings.TLS
    private let rules: Result<[String: HostRules], TLSSettingsProblem>
    private let areFilesGood = Atomic(false)

    /// Returns nil if there is nothing to check and no host is different from others.
    init?(_ settings: TransportSettings.TLS) {
        let isPlain =
            settings.trust == .system && !TrustStore.isNamedByEnvironment && settings.identity == nil
            && settings.pins.isEmpty && settings.unverifiedHosts.isEmpty
        if isPlain { return nil }
        self.settings = settings
        rules = Result { () throws(TLSSettingsProblem) in try HostRules.rules(of: settings) }
    }

    /// The rules for a target; nil if its host has none.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError`` if the settings cannot be used.
    func rules(for target: TargetURI) throws(SwiftyError) -> HostRules? {
        do {
            let rules = try rules.get()
            guard target.scheme == .https else { return nil }
            try checkFiles()
            return rules.isEmpty ? nil : rules[target.host]
        } catch {
            throw SwiftyError(error.code, stage: .building, reason: error.reason)
        }
    }

    private func checkFiles() throws(TLSSettingsProblem) {
        if areFilesGood.load(ordering: .relaxed) { return }
        try TLSSettingsProblem.check(settings)
        areFilesGood.store(true, ordering: .relaxed)
    }
}
