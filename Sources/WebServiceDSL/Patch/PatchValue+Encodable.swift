// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension PatchValue {
    /// Converts an `Encodable` value to its parts, which are compared and encoded later.
    ///
    /// - Throws: The error of a value that fails to encode itself.
    init(parts value: some Encodable) throws {
        let slot = PatchSlot()
        try PatchValueEncoder(slot: slot, codingPath: []).encodeAny(value)
        self = slot.value
    }
}

/// A dictionary whose keys an encoder does not change.
private protocol NamedValues {}
extension Dictionary: NamedValues where Key == String, Value: Encodable {}

private struct PatchValueEncoder: Encoder {
    let slot: PatchSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.makeObject()
        return KeyedEncodingContainer(KeyedPatchSlots<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.makeArray()
        return UnkeyedPatchSlots(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SinglePatchSlot(encoder: self)
    }

    /// Stores a scalar directly, and lets any other value encode itself.
    func encodeAny(_ value: any Encodable) throws {
        if let scalar = value as? any PatchScalar { return slot.set(.encodable(scalar)) }
        if value is any NamedValues { slot.hasExactNames = true }
        try value.encode(to: self)
    }

    func child(_ slot: PatchSlot, _ key: any CodingKey) -> PatchValueEncoder {
        PatchValueEncoder(slot: slot, codingPath: codingPath + [key])
    }
}

private struct KeyedPatchSlots<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: PatchValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func child(_ key: Key) -> PatchValueEncoder {
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

private struct UnkeyedPatchSlots: UnkeyedEncodingContainer {
    let encoder: PatchValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.slot.elementCount }

    private func child() -> PatchValueEncoder {
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

private struct SinglePatchSlot: SingleValueEncodingContainer {
    let encoder: PatchValueEncoder
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
