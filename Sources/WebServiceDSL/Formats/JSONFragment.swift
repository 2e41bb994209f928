// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON value of any kind, such as the data of an error, of which only the user of an API knows the type.
public struct JSONFragment: Codable, Sendable, Hashable {
    private indirect enum Node: Sendable, Hashable {
        case null
        case bool(Bool)
        case number(Decimal)
        case string(String)
        case array([JSONFragment])
        case object([String: JSONFragment])
    }

    /// Deeper values are an error: a decoder calls itself for each level, and the stack is limited.
    private static let depthLimit = 100

    private let node: Node

    /// Decodes any value.
    ///
    /// - Throws: `DecodingError` for a number beyond the range of `Decimal`, and for more than 100 levels.
    public init(from decoder: any Decoder) throws {
        if decoder.codingPath.count > Self.depthLimit {
            let context = DecodingError.Context(codingPath: [], debugDescription: "more than \(Self.depthLimit) levels")
            throw DecodingError.dataCorrupted(context)
        }
        node = try Self.node(decoder.singleValueContainer())
    }

    private static func node(_ container: any SingleValueDecodingContainer) throws -> Node {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Decimal.self) { return .number(value) }
        do {
            return .array(try container.decode([JSONFragment].self))
        } catch DecodingError.typeMismatch(_, let context) where context.codingPath.count == container.codingPath.count
        {
            return .object(try container.decode([String: JSONFragment].self))
        }
    }

    /// Encodes the value; a date or data that the server sent as a string stays that string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch node {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The value as one of a type.
    ///
    /// - Throws: `DecodingError` if it is no such value.
    public func decoded<Value: Decodable>(_ type: Value.Type = Value.self, format: JSONFormat = .json) throws -> Value {
        try format.decode(type, from: JSONEncoder().encode(self))
    }
}

extension JSONFragment: CustomStringConvertible {
    /// The value as JSON on one line, the members of objects in sorted order.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
