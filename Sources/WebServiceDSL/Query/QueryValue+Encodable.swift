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

private struct QueryValueEncoder: Encoder {
    let slot: EncodingSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.makeObject()
        return KeyedEncodingContainer(KeyedSlots<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.makeArray()
        return UnkeyedSlots(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleSlot(encoder: self)
    }

    /// Stores a scalar directly, and lets any other value encode itself.
    func encodeAny(_ value: any Encodable) throws {
        if let scalar = try QueryValue(scalar: value) { return slot.set(scalar) }
        slot.sortsKeys = value is any UnorderedMembers
        try value.encode(to: self)
        try checkMeaning(of: value)
    }

    /// Refuses forms whose meaning a server could not know.
    private func checkMeaning(of value: any Encodable) throws(QueryEncodingError) {
        if slot.sortsKeys, slot.elementCount > 0 {
            throw QueryEncodingError("the keys of a \(type(of: value)) are neither strings nor integers")
        }
        if slot.isOnlyName, Mirror(reflecting: value).displayStyle == .enum {
            throw QueryEncodingError("a case of \(type(of: value)) has no text form: give the enum raw values")
        }
    }

    func child(_ slot: EncodingSlot, _ key: any CodingKey) -> QueryValueEncoder {
        QueryValueEncoder(slot: slot, codingPath: codingPath + [key])
    }
}

/// A type that encodes its members in an order that differs from run to run.
protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers {}

private struct KeyedSlots<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func child(_ key: Key) -> QueryValueEncoder {
        encoder.child(encoder.slot.member(key.stringValue), key)
    }

    func encodeNil(forKey key: Key) throws {
        child(key).slot.set(.null)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try child(key).encodeAny(value)
    }

    // The protocol's default methods refuse these two types.

    func encode(_ value: Int128, forKey key: Key) throws {
        try child(key).encodeAny(value)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
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
        encoder.child(encoder.slot.member("super"), IndexKey(intValue: 0))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        child(key)
    }
}

private struct UnkeyedSlots: UnkeyedEncodingContainer {
    let encoder: QueryValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.slot.elementCount }

    private func child() -> QueryValueEncoder {
        let index = count
        return encoder.child(encoder.slot.appendElement(), IndexKey(intValue: index))
    }

    func encodeNil() throws {
        child().slot.set(.null)
    }

    func encode(_ value: some Encodable) throws {
        try child().encodeAny(value)
    }

    func encode(_ value: Int128) throws {
        try child().encodeAny(value)
    }

    func encode(_ value: UInt128) throws {
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
        encoder.slot.set(.null)
    }

    func encode(_ value: some Encodable) throws {
        try encoder.encodeAny(value)
    }

    func encode(_ value: Int128) throws {
        try encoder.encodeAny(value)
    }

    func encode(_ value: UInt128) throws {
        try encoder.encodeAny(value)
    }
}

/// The index of an element, in a coding path.
struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { String(index) }
    var intValue: Int? { index }

    init?(stringValue: String) { nil }

    init(intValue: Int) {
        index = intValue
    }
}
