// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension Swifty {
    /// What follows from keys that name no setting, and where they are looked for.
    ///
    ///     let swifty = try Swifty(reading: config, unknownKeys: .refused(in: .environment))
    ///
    /// Their values are not shown, since they may be anything.
    public struct UnknownKeys: Sendable {
        let listings: [KeyListing]
        let report: (@Sendable (SettingsError) -> Void)?

        /// They are not looked for.
        public static let ignored = UnknownKeys(listings: [], report: nil)

        /// Settings with such keys are refused with ``SettingsError``, as those with wrong values are.
        public static func refused(in listings: KeyListing...) -> UnknownKeys {
            UnknownKeys(listings: listings, report: nil)
        }

        /// Such keys are reported, and have no effect.
        ///
        /// - Parameters:
        ///   - listings: The places in which the keys are listed.
        ///   - report: Receives them, each time that settings are read and there are any, after the reading.
        public static func reported(
            in listings: KeyListing...,
            to report: @escaping @Sendable (SettingsError) -> Void
        ) -> UnknownKeys {
            UnknownKeys(listings: listings, report: report)
        }
    }
}

extension Swifty.UnknownKeys {
    /// Unknown keys of one reading.
    struct Findings: Sendable {
        /// The problems with which the settings are refused.
        var refused: [Swifty.SettingsError.Problem] = []
        /// Calls the closure of the program, if there is something to report.
        var report: @Sendable () -> Void = {}
    }

    /// Looks for keys that name no setting.
    func check(_ keys: [String], at scope: Scope) -> Findings {
        let problems = listings.flatMap { $0.problems(keys, at: scope) }
        guard let report else { return Findings(refused: problems) }
        return problems.isEmpty ? Findings() : Findings { report(Swifty.SettingsError(problems: problems)) }
    }
}

extension Swifty.KeyListing {
    fileprivate func problems(_ keys: [String], at scope: Scope) -> [Swifty.SettingsError.Problem] {
        do {
            let names = try names(scope)
            let known = keys.map(names.form)
            let set = Set(known)
            return names.keys.filter { !set.contains($0) }.map { key in
                Swifty.SettingsError.Problem(key: key, value: nil, reason: names.reason(key, known))
            }
        } catch {
            let reason = "has keys that cannot be listed: \(error)"
            return [Swifty.SettingsError.Problem(key: scope.key("*"), value: nil, reason: reason)]
        }
    }
}

extension Swifty.KeyListing.Names {
    fileprivate func reason(_ key: String, _ known: [String]) -> String {
        let reason = "there is no such setting"
        if let below = known.first(where: { $0.hasPrefix("\(key).") }) { return "\(reason), but \(below)" }
        let ends = known.map { $0.dropFirst(prefix.count) }
        return Similarity.closest(to: key.dropFirst(prefix.count), in: ends)
            .map { "\(reason); did you mean \(prefix)\($0)?" } ?? reason
    }
}
#endif
