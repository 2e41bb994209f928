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
    /// The settings in the file.
    private(set) var settings = ConfigSettings()

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
            if isBare { try settings.set(key, "\(value)") } else { try setPart(key, value) }
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
            for (key, value) in value.sorted(by: { $0.key < $1.key }) { try settings.set(key, "\(value)") }
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
