// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// A place in content: the names of members and the indices of elements that lead to a value.
///
///     .decode([Item].self, at: "data.items")     // {"data": {"items": […]}}
///     .decode(String.self, at: "errors[0].message")
///
/// Names are separated by dots. A name may itself have dots or brackets: the longest name that exists is taken. The
/// names are those of the content, or those into which the decoder converts them.
public struct ContentPlace: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The place as it was written.
    public let description: String

    /// Makes a place from a path.
    public init(_ path: String) {
        description = path
    }

    /// Makes a place from a literal.
    public init(stringLiteral path: String) {
        self.init(path)
    }

    /// The place of the value that is being decoded: whatever their format, decoders are called with a type alone.
    @TaskLocal fileprivate static var current: ContentPlace?

    /// Decodes a value at the place. If the type is optional, the value of an absent place is `nil`.
    ///
    /// - Throws: The errors of the format; `DecodingError.keyNotFound` if there is no such place.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from content: Data,
        _ format: any ContentFormat
    ) throws -> Value {
        try Self.$current.withValue(self) { try format.decode(PlacedValue<Value>.self, from: content).value }
    }
}

extension ContentPlace {
    /// Decodes the value at the place in a member of an object; `nil` if the member is absent or null.
    func decodeIfPresent<Value: Decodable, Key>(
        _ type: Value.Type,
        in members: KeyedDecodingContainer<Key>,
        forKey key: Key
    ) throws -> Value? {
        try Self.$current.withValue(self) { try members.decodeIfPresent(PlacedValue<Value>.self, forKey: key)?.value }
    }
}

/// The value at the current place.
private struct PlacedValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let place = ContentPlace.current ?? ""
        // The value may be one that decodes other content.
        value = try ContentPlace.$current.withValue(nil) { try Self.value(at: place, in: decoder) }
    }

    private static func value(at place: ContentPlace, in decoder: any Decoder) throws -> Value {
        if place.description.isEmpty { return try decoder.singleValueContainer().decode(Value.self) }
        if let found = try ContentPosition.outermost(decoder, place.description[...]) {
            return try found.decode(Value.self)
        }
        if let none = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value { return none }
        let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no such place")
        throw DecodingError.keyNotFound(MemberName(stringValue: place.description), context)
    }
}

/// A value in content that is being decoded.
private enum ContentPosition {
    case member(KeyedDecodingContainer<MemberName>, MemberName)
    /// The next element.
    case element(any UnkeyedDecodingContainer)

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch self {
        case .member(let members, let name): return try members.decode(type, forKey: name)
        case .element(var elements): return try elements.decode(type)
        }
    }

    /// The value at a path in the whole content; `nil` if there is none.
    static func outermost(_ decoder: any Decoder, _ path: Substring) throws -> ContentPosition? {
        if path.first == "[", let found = try element(path, in: decoder.unkeyedContainer()) { return found }
        return try member(path, in: decoder.container(keyedBy: MemberName.self))
    }

    /// The value at a path in this one; `nil` if there is none.
    private func inner(_ path: Substring) throws -> ContentPosition? {
        if path.isEmpty { return self }
        switch self {
        case .member(let members, let name):
            if try members.decodeNil(forKey: name) { return nil }
            if path.first == "[" {
                return try Self.element(path, in: members.nestedUnkeyedContainer(forKey: name))
            }
            let inner = try members.nestedContainer(keyedBy: MemberName.self, forKey: name)
            return try Self.member(path.dropFirst(), in: inner)
        case .element(var elements):
            if path.first == "[" { return try Self.element(path, in: elements.nestedUnkeyedContainer()) }
            return try Self.member(path.dropFirst(), in: elements.nestedContainer(keyedBy: MemberName.self))
        }
    }

    /// Tries the longest name first.
    private static func member(
        _ path: Substring,
        in members: KeyedDecodingContainer<MemberName>
    ) throws -> ContentPosition? {
        var mismatch: DecodingError?
        for end in [path.endIndex] + path.indices.reversed().filter({ path[$0] == "." || path[$0] == "[" }) {
            guard let name = MemberName.find(path[..<end], in: members) else { continue }
            do {
                if let found = try ContentPosition.member(members, name).inner(path[end...]) { return found }
            } catch let error as DecodingError {
                mismatch = mismatch ?? error
            }
        }
        if let mismatch { throw mismatch }
        return nil
    }

    /// The element at an index in brackets; `nil` if there is none.
    private static func element(
        _ path: Substring,
        in elements: any UnkeyedDecodingContainer
    ) throws -> ContentPosition? {
        let end = path.firstIndex(of: "]") ?? path.startIndex
        guard end > path.startIndex, let index = Int(path[..<end].dropFirst()), index >= 0 else { return nil }
        var elements = elements
        while !elements.isAtEnd {
            if elements.currentIndex == index {
                return try ContentPosition.element(elements).inner(path[end...].dropFirst())
            }
            _ = try elements.superDecoder()
        }
        return nil
    }
}

/// The name of any member.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    /// The member of a name; one that the decoder has converted from snake case has the name of the content as well.
    static func find(_ text: Substring, in members: KeyedDecodingContainer<MemberName>) -> MemberName? {
        let name = MemberName(stringValue: String(text))
        if members.contains(name) { return name }
        return members.allKeys.first { QueryEncoding.KeyStyle.snakeCase.text(of: $0.stringValue) == text }
    }
}
