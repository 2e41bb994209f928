// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension Swifty {
    /// All that is wrong with settings that were read.
    ///
    ///     2 settings cannot be used:
    ///     swifty.timeouts.total: "30" is not a duration with a unit, such as 500ms, 2s, 1.5s, 5m or 1h
    ///     SWIFTY_RETRY_ATTEMPTS: there is no such setting; did you mean SWIFTY_RETRY_MAXIMUM_ATTEMPTS?
    public struct SettingsError: Error, Sendable, Hashable {
        /// What is wrong with one key.
        public struct Problem: Sendable, Hashable {
            /// The key as it was found: a dotted key, or the name of an environment variable.
            public let key: String
            /// The value in one line; `REDACTED` for a secret, and `nil` if the problem is not the value.
            public let value: String?
            /// The reason, as the predicate of a sentence.
            public let reason: String
        }

        /// The problems, those with values first, in the order of the table of settings.
        public let problems: [Problem]
    }
}

extension Swifty.SettingsError.Problem: CustomStringConvertible {
    /// The key, the value and the reason, in one line.
    public var description: String {
        "\(key): " + (value.map { "\($0) " } ?? "") + reason
    }
}

extension Swifty.SettingsError: CustomStringConvertible {
    /// A line for each problem, after one with their number.
    public var description: String {
        let title = problems.count == 1 ? "1 setting cannot be used:" : "\(problems.count) settings cannot be used:"
        return ([title] + problems.map(\.description)).joined(separator: "\n")
    }
}

extension Swifty.SettingsError.Problem {
    /// The problem of a setting.
    init<Root>(_ entry: SettingEntry<Root>, at scope: Scope, value: RawValue?, because reason: WrongValue) {
        key = scope.key(entry.key)
        switch reason {
        case .value(let predicate):
            self.value = value.map { entry.isSecret ? Self.placeholder : Self.quoted($0.text) }
            self.reason = predicate
        case .key(let predicate):
            self.value = nil
            self.reason = predicate
        case .needs(let needed):
            self.value = nil
            self.reason = "has no effect without \(scope.key(needed))"
        }
    }

    private static let placeholder = "REDACTED"

    /// Text in quotation marks, with its control characters escaped. Text with an `@` may be a URL with a password.
    private static func quoted(_ text: String) -> String {
        if text.contains("@") { return placeholder }
        return (text.count > 100 ? "\(text.prefix(100))…" : text).debugDescription
    }
}
#endif
