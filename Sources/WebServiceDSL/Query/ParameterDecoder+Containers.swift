// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

struct KeyedParameters<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ParameterDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.node.names.compactMap { Key(stringValue: $0) } }

    private func name(of key: Key) -> String {
        decoder.hasExactNames ? key.stringValue : decoder.encoding.keys.text(of: key.stringValue)
    }

    private func child(_ key: Key) -> ParameterDecoder {
        decoder.child(decoder.node.member(name(of: key)), key)
    }

    func contains(_ key: Key) -> Bool {
        decoder.node.member(name(of: key)) != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        child(key).isNil
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try child(key).decode(type)
    }

    // The protocol's default methods refuse these two types.

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try child(key).decode(type)
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try child(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.child(decoder.node.member("super"), IndexKey(intValue: 0))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        child(key)
    }
}

struct UnkeyedParameters: UnkeyedDecodingContainer {
    let decoder: ParameterDecoder
    let elements: [ParameterDecoder]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(decoder: ParameterDecoder, elements: [ParameterDecoder]) {
        (self.decoder, self.elements) = (decoder, elements)
    }

    /// Reads the next element, and moves on if that succeeds.
    private mutating func next<Value>(_ read: (ParameterDecoder) throws -> Value) throws -> Value {
        guard !isAtEnd else {
            let path = codingPath + [IndexKey(intValue: currentIndex)]
            let context = DecodingError.Context(codingPath: path, debugDescription: "There are no more elements.")
            throw DecodingError.valueNotFound(Value.self, context)
        }
        let value = try read(elements[currentIndex])
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].isNil else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { try $0.decode(type) }
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try next { try $0.decode(type) }
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try next { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next { $0 }
    }
}

struct SingleParameter: SingleValueDecodingContainer {
    let decoder: ParameterDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.isNil
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type)
    }

    func decode(_ type: Int128.Type) throws -> Int128 {
        try decoder.decode(type)
    }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        try decoder.decode(type)
    }
}
