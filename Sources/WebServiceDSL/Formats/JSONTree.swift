// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// JSON content that could not be decoded, for its error alone.
struct JSONTree {
    /// A value that is not parsed further than needed.
    enum Value {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([Any])
        case object([String: Any])
    }

    /// Larger content is not searched: an error must not cost as much memory as the response.
    static let sizeLimit = 4 << 20

    private let root: Any

    /// `nil` if the content is not JSON, or too large.
    init?(_ content: Data) {
        guard content.count <= Self.sizeLimit,
            let root = try? JSONSerialization.jsonObject(with: content, options: .fragmentsAllowed)
        else { return nil }
        self.root = root
    }

    /// The value at a decoder's path, whose names may be converted from snake case; `nil` if there is none.
    func value(at path: [any CodingKey]) -> Value? {
        var value = root
        for key in path {
            guard let inner = Self.inner(key, of: value) else { return nil }
            value = inner
        }
        return Self.typed(value)
    }

    private static func inner(_ key: any CodingKey, of value: Any) -> Any? {
        if let index = key.intValue, let array = value as? [Any] {
            return array.indices.contains(index) ? array[index] : nil
        }
        guard let object = value as? [String: Any] else { return nil }
        if let member = object[key.stringValue] { return member }
        return object[QueryEncoding.KeyStyle.snakeCase.text(of: key.stringValue)]
    }

    private static let boolType: NSNumber.Type = type(of: NSNumber(value: true))

    private static func typed(_ value: Any) -> Value? {
        switch value {
        case is NSNull: .null
        case let value as String: .string(value)
        case let value as [Any]: .array(value)
        case let value as [String: Any]: .object(value)
        case let value as NSNumber where type(of: value) == boolType: .bool(value.boolValue)
        case let value as NSNumber: .number("\(value)")
        default: nil
        }
    }
}
