// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

public import Swifty

extension Swifty {
    /// A setting that ``Swifty/init(reading:at:unknownKeys:transport:configure:)`` reads, for the help of a program.
    public struct Setting: Sendable, Hashable {
        /// The key, such as `timeouts.total`.
        public let key: String
        /// The kind of its values, such as `duration, or none`, in Markdown.
        public let kind: String
        /// The default, as it would be written.
        public let defaultValue: String
        /// A sentence in Markdown.
        public let meaning: String
        /// Whether messages and reports of accesses hide the value.
        public let isSecret: Bool

        /// All settings of a `Swifty` and its transport, in the order of the documentation.
        public static let all: [Setting] = {
            let defaults = ServiceSettings()
            return ServiceSettings.entries.map { Setting($0, of: defaults) }
        }()
    }
}

extension Swifty.Setting {
    private init(_ entry: SettingEntry<ServiceSettings>, of defaults: ServiceSettings) {
        (key, kind, meaning, isSecret) = (entry.key, entry.kind, entry.meaning, entry.isSecret)
        defaultValue = entry.write(defaults)
    }
}

/// What no text can be, with the properties that it sets and the reason.
struct CodeOnlySetting: Sendable {
    let name: String
    let properties: [String]
    let reason: String

    static let all = [
        CodeOnlySetting(
            name: "`use(_:)`: constraints, interceptors, signers, observers, metrics, traces and all other hooks",
            properties: [
                "constraints", "requestInterceptors", "responseInterceptors", "attemptInterceptors", "routers",
                "signers", "observers", "tracings", "stateObservers", "challengeHandlers",
            ],
            reason: "hooks are code"
        ),
        CodeOnlySetting(
            name: "`retry.decide`, `redirects.decide`, `cache.decide`, `logging.decide`",
            properties: ["retry.decide", "redirects.decide", "cache.decide", "logging.decide"],
            reason: "closures"
        ),
        CodeOnlySetting(
            name: "`contentDecoding.codings`, `requestCompression.coding`",
            properties: ["contentDecoding.codings", "requestCompression.coding"],
            reason: "codings are code"
        ),
        CodeOnlySetting(
            name: "`RequestCompression.none`",
            properties: ["requestCompression.isDisabled"],
            reason: "`requestCompression.threshold` is `none` instead"
        ),
        CodeOnlySetting(
            name: "`responseCache`, `cookies`, `credentials`",
            properties: ["responseCache", "cookies", "credentials"],
            reason: "objects with a state, which several instances may share"
        ),
        CodeOnlySetting(
            name: "`logger`, `clock`, `deliveryQueue`",
            properties: ["logger", "clock", "deliveryQueue"],
            reason: "objects of the program"
        ),
    ]
}

/// The tables of the documentation.
enum SettingTables {
    static var settings: String {
        table(
            ["key", "value", "default", "meaning"],
            Swifty.Setting.all.map { setting in
                let meaning = setting.isSecret ? "\(setting.meaning) Secret." : setting.meaning
                return ["`\(setting.key)`", setting.kind, shortened(setting.defaultValue), meaning]
            }
        )
    }

    static var codeOnly: String {
        table(["in code only", "reason"], CodeOnlySetting.all.map { [$0.name, $0.reason] })
    }

    /// Long lists have their place in the documentation of the property.
    private static func shortened(_ text: String) -> String {
        guard text.count > 60 else { return text }
        let count = text.split(separator: ",").count
        return "\(count) of them"
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}
#endif
