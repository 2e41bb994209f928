// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON value: the routes build their responses from it, and read JSON content into it.
enum EchoValue: Codable, Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([EchoValue])
    case object([String: EchoValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([EchoValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: EchoValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The value of JSON text; `null` if the text is not JSON, as in httpbin.
    init(parsing data: Data) {
        self = (try? JSONDecoder().decode(EchoValue.self, from: data)) ?? .null
    }

    /// An object of pairs; a repeated name has an array of its values.
    init(grouping items: [(name: String, value: String)]) {
        var values: [String: [EchoValue]] = [:]
        for item in items { values[item.name, default: []].append(.string(item.value)) }
        self = .object(values.mapValues { $0.count == 1 ? $0[0] : .array($0) })
    }

    /// Text unchanged, and other bytes as a `data:` URL.
    init(content: Data) {
        if let text = String(validating: content, as: UTF8.self) {
            self = .string(text)
        } else {
            self = .string("data:application/octet-stream;base64,\(content.base64EncodedString())")
        }
    }
}

extension EchoValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(arrayLiteral elements: EchoValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, EchoValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
