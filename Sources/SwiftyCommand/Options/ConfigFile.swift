// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// `--config FILE`: the settings of the Twitter Network Layer's command (TNL), in one JSON object instead of three
/// files.
///
///     {
///       "method": "POST",
///       "headers": {"X-Id": "1"},
///       "body": {"a": 1},
///       "config": {"idleTimeout": "5", "operationTimeout": "30"}
///     }
///
/// `body` is text or JSON; `bodyFile` names a file instead. A file with none of these names contains only `config`, as
/// in TNL. Arguments take precedence over the file.
struct ConfigFile: Equatable {
    var method: String?
    var headers: [RequestPlan.Pair] = []
    var content: PlannedContent?
    /// The settings in the file that have no effect here.
    private(set) var ignored: [String] = []
    private(set) var idleTimeout: Double?
    private(set) var operationTimeout: Double?
    private(set) var attemptTimeout: Double?
    private(set) var redirects: RedirectRule?

    init(path: String) throws(UsageError) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw UsageError.unreadable(path)
        }
        try self.init(data, name: path)
    }

    init(_ data: Data, name: String) throws(UsageError) {
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw UsageError("The file \(name) is not a JSON object.")
        }
        let isBare = Self.parts.isDisjoint(with: object.keys)
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            if isBare { try set(key, "\(value)") } else { try setPart(key, value) }
        }
    }

    private static let parts: Set<String> = ["method", "headers", "body", "bodyFile", "config"]

    private mutating func setPart(_ key: String, _ value: Any) throws(UsageError) {
        switch (key, value) {
        case ("method", let value as String): method = value.uppercased()
        case ("headers", let value as [String: Any]):
            headers = value.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: "\($0.value)") }
        case ("bodyFile", let value as String): content = .file(value, mediaType: nil)
        case ("body", let value as String): content = .text(value, mediaType: "text/plain; charset=utf-8")
        case ("body", let value): content = try Self.json(value)
        case ("config", let value as [String: Any]):
            for (key, value) in value.sorted(by: { $0.key < $1.key }) { try set(key, "\(value)") }
        default: throw UsageError("The configuration file cannot have \"\(key)\" with this value.")
        }
    }

    private static func json(_ value: Any) throws(UsageError) -> PlannedContent {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard JSONSerialization.isValidJSONObject(value),
            let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        else { throw UsageError("The configuration file's \"body\" is not a text, an object or an array.") }
        return .text(String(decoding: data, as: UTF8.self), mediaType: "application/json")
    }
}

extension ConfigFile {
    /// Settings of TNL for Apple's systems, or for features with other options here.
    private static let withoutEffect: Set<String> = [
        "contributeToExecutingNetworkConnectionsCount", "skipHostSanitization", "shouldSetCookies",
        "allowsCellularAccess", "discretionary", "shouldUseExtendedBackgroundIdleMode",
        "shouldLaunchAppForBackgroundEvents", "deferrableInterval", "executionMode", "responseDataConsumptionMode",
        "protocolOptions", "connectivityOptions", "responseComputeHashAlgorithm", "cachePolicy", "cookieAcceptPolicy",
        "networkServiceType", "sharedContainerIdentifier",
    ]

    private mutating func set(_ name: String, _ value: String) throws(UsageError) {
        switch name {
        case "idleTimeout": idleTimeout = try Self.seconds(name, value)
        case "operationTimeout": operationTimeout = try Self.seconds(name, value)
        case "attemptTimeout": attemptTimeout = try Self.seconds(name, value)
        case "redirectPolicy":
            guard let rule = RedirectRule(rawValue: value) else {
                throw UsageError("The setting \"redirectPolicy\" is not 0 (none), 1 (all) or 2 (on the same host).")
            }
            redirects = rule
        case _ where Self.withoutEffect.contains(name): ignored.append(name)
        default: throw UsageError("The configuration file names a setting that does not exist: \"\(name)\".")
        }
    }

    /// Zero and less mean no limit, as in TNL.
    private static func seconds(_ name: String, _ value: String) throws(UsageError) -> Double {
        guard let seconds = Double(value), seconds <= 31_536_000 else {
            throw UsageError("The setting \"\(name)\" is not a number of seconds.")
        }
        return seconds
    }

    func apply(to configuration: inout Swifty.Configuration) {
        if let idleTimeout { configuration.timeouts.idle = Self.limit(idleTimeout) }
        if let attemptTimeout { configuration.timeouts.attempt = Self.limit(attemptTimeout) }
        if let operationTimeout { configuration.timeouts.total = Self.limit(operationTimeout) }
    }

    private static func limit(_ seconds: Double) -> Duration? { seconds > 0 ? .seconds(seconds) : nil }
}
