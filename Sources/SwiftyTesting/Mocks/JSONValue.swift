// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// A JSON value, which is compared by meaning: the order of members and white space do not matter.
enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Decimal)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
    /// Not JSON; equal to nothing.
    case invalid

    init(_ data: Data) {
        self = (try? JSONDecoder().decode(JSONValue.self, from: data)) ?? .invalid
    }

    static func == (one: JSONValue, other: JSONValue) -> Bool {
        one.differences(from: other).isEmpty
    }

    /// The differences to another value, such as `$.user.name is "a" instead of "b"`.
    ///
    /// - Parameters:
    ///   - expected: The value that should be this one.
    ///   - redactor: Hides the secrets of the request.
    ///   - path: The path of this value.
    func differences(
        from expected: JSONValue,
        _ redactor: Redactor = Redactor(),
        at path: String = "$"
    ) -> [String] {
        switch (self, expected) {
        case (.null, .null): return []
        case (.bool(let one), .bool(let other)) where one == other: return []
        case (.number(let one), .number(let other)) where one == other: return []
        case (.string(let one), .string(let other)) where one == other: return []
        case (.array(let one), .array(let other)) where one.count == other.count:
            return zip(one, other).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, redactor, at: "\(path)[\(index)]")
            }
        case (.array(let one), .array(let other)):
            return ["\(path) has \(one.count) elements instead of \(other.count)"]
        case (.object(let one), .object(let other)):
            return Set(one.keys).union(other.keys).sorted().flatMap { key -> [String] in
                let place = "\(path).\(key)"
                switch (one[key], other[key]) {
                case (let value?, let expected?):
                    let differences = value.differences(from: expected, redactor, at: place)
                    let isSecret = redactor.isSecret(key) && !differences.isEmpty
                    return isSecret ? ["\(place) is another value"] : differences
                case (nil, _): return ["\(place) is missing"]
                case (_, nil): return ["\(place) is not expected"]
                }
            }
        case (.invalid, _): return ["the content is not JSON"]
        case (_, .invalid): return ["the expected content is not JSON"]
        default: return [redactor.text("\(path) is \(shortText) instead of \(expected.shortText)")]
        }
    }

    private var shortText: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.count > 40 ? "\"\(value.prefix(40))…\"" : "\"\(value)\""
        case .array: "an array"
        case .object: "an object"
        case .invalid: "not JSON"
        }
    }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
