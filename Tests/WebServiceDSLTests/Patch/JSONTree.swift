// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A JSON document, for tests that compare documents or apply patches to them.
enum JSONTree: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
    }

    /// The document that an encoder writes for a value.
    init(encoding value: some Encodable, _ encoder: JSONEncoder = JSONEncoder()) throws {
        self = try JSONDecoder().decode(JSONTree.self, from: encoder.encode(value))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let elements = try? container.decode([JSONTree].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    subscript(name: String) -> JSONTree? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}

// MARK: JSON Patch

/// The error of an operation that fails, which makes the whole patch fail.
struct FailedOperation: Error {}

extension JSONTree {
    /// Applies the operations of a JSON Patch (RFC 6902 §4).
    func applying(_ patch: JSONTree) throws -> JSONTree {
        guard case .array(let operations) = patch else { throw FailedOperation() }
        return try operations.reduce(self) { try $0.applyingOperation($1) }
    }

    private func applyingOperation(_ operation: JSONTree) throws -> JSONTree {
        func tokens(_ name: String) throws -> ArraySlice<String> {
            guard case .string(let text) = operation[name] else { throw FailedOperation() }
            return text.components(separatedBy: "/").dropFirst().map {
                $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
            }[...]
        }
        func value() throws -> JSONTree { try #require(operation["value"]) }
        guard case .string(let name) = operation["op"] else { throw FailedOperation() }
        switch name {
        case "add": return try adding(value(), at: tokens("path"))
        case "remove": return try removing(tokens("path"))
        case "replace":
            let path = try tokens("path")
            _ = try self.value(at: path)
            return path.isEmpty ? try value() : try removing(path).adding(value(), at: path)
        case "move":
            let moved = try self.value(at: tokens("from"))
            return try removing(tokens("from")).adding(moved, at: tokens("path"))
        case "copy": return try adding(self.value(at: tokens("from")), at: tokens("path"))
        case "test":
            guard try self.value(at: tokens("path")) == value() else { throw FailedOperation() }
            return self
        default: throw FailedOperation()
        }
    }

    func value(at tokens: ArraySlice<String>) throws -> JSONTree {
        guard let token = tokens.first else { return self }
        switch self {
        case .object(let members):
            guard let member = members[token] else { throw FailedOperation() }
            return try member.value(at: tokens.dropFirst())
        case .array(let elements):
            return try elements[Self.index(token, below: elements.count)].value(at: tokens.dropFirst())
        default: throw FailedOperation()
        }
    }

    private func adding(_ value: JSONTree, at tokens: ArraySlice<String>) throws -> JSONTree {
        guard let token = tokens.last else { return value }
        return try changing(tokens.dropLast()) { parent in
            switch parent {
            case .object(var members):
                members[token] = value
                return .object(members)
            case .array(var elements):
                let end = elements.count
                elements.insert(value, at: token == "-" ? end : try Self.index(token, below: end + 1))
                return .array(elements)
            default: throw FailedOperation()
            }
        }
    }

    private func removing(_ tokens: ArraySlice<String>) throws -> JSONTree {
        guard let token = tokens.last else { return .null }
        _ = try value(at: tokens)
        return try changing(tokens.dropLast()) { parent in
            switch parent {
            case .object(var members):
                members[token] = nil
                return .object(members)
            case .array(var elements):
                elements.remove(at: try Self.index(token, below: elements.count))
                return .array(elements)
            default: throw FailedOperation()
            }
        }
    }

    private func changing(_ tokens: ArraySlice<String>, _ change: (JSONTree) throws -> JSONTree) throws -> JSONTree {
        guard let token = tokens.first else { return try change(self) }
        let child = try value(at: tokens.prefix(1)).changing(tokens.dropFirst(), change)
        switch self {
        case .object(var members):
            members[token] = child
            return .object(members)
        case .array(var elements):
            elements[try Self.index(token, below: elements.count)] = child
            return .array(elements)
        default: throw FailedOperation()
        }
    }

    private static func index(_ token: String, below count: Int) throws -> Int {
        let isCanonical = token == "0" || (token.first != "0" && !token.isEmpty)
        guard isCanonical, token.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let index = Int(token), index < count
        else { throw FailedOperation() }
        return index
    }
}

// MARK: JSON Merge Patch

extension JSONTree {
    /// Applies a merge patch (RFC 7396 §2).
    func merging(_ patch: JSONTree) -> JSONTree {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSONTree] = [:]
        if case .object(let known) = self { members = known }
        for (name, value) in changes {
            members[name] = value == .null ? nil : (members[name] ?? .null).merging(value)
        }
        return .object(members)
    }
}
