// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// One line of a batch: `{"method": …, "url": …, "headers": …, "body": …}`.
///
/// `headers` is an object, or an array of `[name, value]`; `body` is text (with `"bodyEncoding": "base64"` bytes), or
/// any other JSON, which is sent as such.
struct BatchLine: Equatable {
    let plan: RequestPlan

    init(_ line: some StringProtocol) throws(UsageError) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw UsageError("The line is not a JSON object.")
        }
        guard let url = object["url"] as? String else { throw UsageError("The line has no \"url\".") }
        let content = try Self.content(object)
        let method = (object["method"] as? String)?.uppercased() ?? (content == nil ? "GET" : "POST")
        let (target, login) = URLShorthand.withoutLogin(URLShorthand.expand(url))
        plan = RequestPlan(
            method: method,
            url: target,
            headers: try Self.headers(object["headers"]),
            login: login,
            content: content
        )
    }

    private static func headers(_ value: Any?) throws(UsageError) -> [RequestPlan.Pair] {
        switch value {
        case nil, is NSNull: return []
        case let object as [String: Any]:
            return object.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: "\($0.value)") }
        case let pairs as [[String]] where pairs.allSatisfy({ $0.count == 2 }):
            return pairs.map { .init(name: $0[0], value: $0[1]) }
        default: throw UsageError("The line's \"headers\" are neither an object nor an array of [name, value].")
        }
    }

    private static func content(_ object: [String: Any]) throws(UsageError) -> PlannedContent? {
        switch object["body"] {
        case nil, is NSNull: return nil
        case let text as String:
            guard object["bodyEncoding"] as? String == "base64" else {
                return .text(
                    text,
                    mediaType: JSONText(text.utf8) == nil ? "text/plain; charset=utf-8" : "application/json"
                )
            }
            guard let data = Data(base64Encoded: text) else { throw UsageError("The line's \"body\" is not Base64.") }
            return .data(data, mediaType: "application/octet-stream")
        case let value?: return try json(value)
        }
    }

    private static func json(_ value: Any) throws(UsageError) -> PlannedContent {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: options) else {
            throw UsageError("The line's \"body\" cannot be sent as JSON.")
        }
        return .text(String(decoding: data, as: UTF8.self), mediaType: "application/json")
    }
}
