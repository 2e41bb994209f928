// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension QueryValue {
    /// Converts an `Encodable` value. Its properties keep their order; the keys of its dictionaries are sorted.
    ///
    /// - Throws: ``QueryEncodingError`` if the value has no text form, or fails to encode itself.
    init(encoding value: any Encodable) throws(QueryEncodingError) {
        let slot = EncodingSlot()
        do {
            try QueryValueEncoder(slot: slot, codingPath: []).encodeAny(value)
        } catch let error as QueryEncodingError {
            throw error
        } catch {
            throw QueryEncodingError("\(type(of: value)) could not be encoded: \(error)")
        }
        self = slot.value
    }
}

/// The place of an encoded value. A container refers to the slots of its children, which may get their values later.
private final class EncodingSlot {
    enum Content {
        case empty
        case value(QueryValue)
        case array([EncodingSlot])
        case object([(key: String, slot: EncodingSlot)])
    }

    var content = Content.empty
    var sortsKeys = false

    var value: QueryValue {
        switch content {
        case .empty: return .null
        case .value(let value): return value
        case .array(let slots): return .array(slots.map(\.value))
        case .object(let members):
            let ordered = sortsKeys ? members.sorted { $0.key < $1.key } : members
            return .object(ordered.map { QueryValue.Member(key: $0.key, value: $0.slot.value) })
        }
    }

    func appendElement() -> EncodingSlot {
        let slot = EncodingSlot()
        if case .array(let slots) = content { content = .array(slots + [slot]) } else { content = .array([slot]) }
        return slot
    }

    func member(_ key: String) -> EncodingSlot {
        let slot = EncodingSlot()
        guard case .object(var members) = content else {
            content = .object([(key, slot)])
            return slot
        }
        members.removeAll { $0.key == key }
        members.append((key, slot))
        content = .object(members)
        return slot
    }
}

private struct QueryValueEncoder: Encoder {
    let slot: EncodingSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .empty = slot.content { slot.content = .object([]) }
        return KeyedEncodingContainer(KeyedSlots<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .empty = slot.content { slot.content = .array([]) }
        return UnkeyedSlots(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleSlot(encoder: self)
    }

    /// Stores a scalar directly, and lets any other value encode itself.
    func encodeAny(_ value: any Encodable) throws {
        switch value {
        case let value as Bool: slot.content = .value(.bool(value))
        case let value as String: slot.content = .value(.text(value))
        case let value as any BinaryInteger: slot.content = .value(.text(value.description))
        case let value as Double: slot.content = .value(try .finite(value))
        case let value as Float: slot.content = .value(try .finite(value))
        case let value as Date: slot.content = .value(.date(value))
        case let value as URL: slot.content = .value(.text(value.absoluteString))
        case let value as UUID: slot.content = .value(.text(value.uuidString))
        case is Data: throw QueryEncodingError("a value of type Data has no text form")
        default:
            slot.sortsKeys = value is any UnorderedMembers
            try value.encode(to: self)
        }
    }

    func child(_ slot: EncodingSlot, _ key: any CodingKey) -> QueryValueEncoder {
        QueryValueEncoder(slot: slot, codingPath: codingPath + [key])
    }
}

/// A type that encodes its members in an order that differs from run to run.
private protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers {}

private struct KeyedSlots<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func child(_ key: Key) -> QueryValueEncoder {
        encoder.child(encoder.slot.member(key.stringValue), key)
    }

    func encodeNil(forKey key: Key) throws {
        child(key).slot.content = .value(.null)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try child(key).encodeAny(value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.child(encoder.slot.member("super"), IndexKey(index: 0))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        child(key)
    }
}

private struct UnkeyedSlots: UnkeyedEncodingContainer {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        if case .array(let slots) = encoder.slot.content { slots.count } else { 0 }
    }

    private func child() -> QueryValueEncoder {
        let index = count
        return encoder.child(encoder.slot.appendElement(), IndexKey(index: index))
    }

    func encodeNil() throws {
        child().slot.content = .value(.null)
    }

    func encode(_ value: some Encodable) throws {
        try child().encodeAny(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        child().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        child()
    }
}

private struct SingleSlot: SingleValueEncodingContainer {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws {
        encoder.slot.content = .value(.null)
    }

    func encode(_ value: some Encodable) throws {
        try encoder.encodeAny(value)
    }
}

private struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { String(index) }
    var intValue: Int? { index }

    init(index: Int) {
        self.index = index
    }

    init?(stringValue: String) { nil }

    init?(intValue: Int) {
        index = intValue
    }
}
