// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The decoder of a value from the parameters of a node.
struct ParameterDecoder: Decoder {
    let node: ParameterNode
    let encoding: QueryEncoding
    var codingPath: [any CodingKey] = []
    /// Whether the node is one of several values with the same name, in which an array cannot be.
    var isRepeatedValue = false
    /// Whether the names are the keys of a dictionary, which the encoding does not change.
    var hasExactNames = false
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard node.values.isEmpty else {
            throw mismatch([String: String].self, "There is a value without a name in brackets.")
        }
        return KeyedDecodingContainer(KeyedParameters<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        UnkeyedParameters(decoder: self, elements: try elements())
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleParameter(decoder: self)
    }

    /// Makes a scalar of its text, and lets any other type decode itself.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A type that contains itself, and is not optional, would otherwise be sought for ever.
        guard codingPath.count <= QueryParameters.maximumDepth + 1 else {
            throw DecodingError.invalidParameter(codingPath, "The value is nested too deeply.")
        }
        if let scalar = type as? any ParameterScalar.Type {
            guard let value = scalar.value(of: try text(of: type), dates: encoding.dates) as? Value else {
                throw mismatch(type, "The text is not one of a \(type).")
            }
            return value
        }
        if type is any ValueWithoutText.Type { throw mismatch(type, "A \(type) has no text form in parameters.") }
        var decoder = self
        decoder.hasExactNames = type is any UnorderedMembers.Type
        return try Value(from: decoder)
    }

    /// The decoder of a part of the value.
    func child(_ node: ParameterNode?, _ key: any CodingKey) -> ParameterDecoder {
        ParameterDecoder(node: node ?? ParameterNode(), encoding: encoding, codingPath: codingPath + [key])
    }

    func mismatch(_ type: any Any.Type, _ reason: String) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }
}

// MARK: Scalars

extension ParameterDecoder {
    /// Whether nothing was sent, or what the encoding writes for `nil`.
    var isNil: Bool {
        if node.isEmpty { return true }
        guard encoding.nils != .omitted, node.names.isEmpty, node.values.count == 1 else { return false }
        return node.values[0].value.isEmpty
    }

    /// The text of the only value.
    private func text(of type: any Any.Type) throws(DecodingError) -> String {
        guard node.names.isEmpty else { throw mismatch(type, "There are names in brackets, and not one value.") }
        guard let pair = node.values.first else { throw missingValue(of: type) }
        guard node.values.count == 1 else {
            throw .invalidParameter(codingPath, "The parameter occurs \(node.values.count) times.")
        }
        guard pair.isExact else { throw .invalidParameter(codingPath, "The parameter is not valid UTF-8.") }
        return pair.value
    }

    private func missingValue(of type: any Any.Type) -> DecodingError {
        guard let key = codingPath.last else { return mismatch(type, "Parameters are names with values.") }
        let context = DecodingError.Context(
            codingPath: codingPath.dropLast(),
            debugDescription: "There is no parameter \"\(key.stringValue)\"."
        )
        return .keyNotFound(key, context)
    }
}

// MARK: Arrays

extension ParameterDecoder {
    /// The decoders of an array's elements.
    private func elements() throws(DecodingError) -> [ParameterDecoder] {
        guard !isRepeatedValue else {
            throw mismatch([String].self, "A repeated name does not say which elements an inner array has.")
        }
        guard node.names.isEmpty || node.values.isEmpty else {
            throw mismatch([String].self, "There are values both with and without a name in brackets.")
        }
        guard let members = node.indexedMembers else {
            throw mismatch([String].self, "The names in brackets are not the indices of elements.")
        }
        return members.isEmpty ? repeatedElements : members.enumerated().map { child($1, IndexKey(intValue: $0)) }
    }

    private var repeatedElements: [ParameterDecoder] {
        separatedValues.enumerated().map { index, pair in
            var element = child(ParameterNode([pair]), IndexKey(intValue: index))
            element.isRepeatedValue = true
            return element
        }
    }

    private var separatedValues: [QueryParameters.Pair] {
        guard encoding.arrays == .commaSeparated, node.values.count == 1 else { return node.values }
        let pair = node.values[0]
        // An empty array is written as an empty value.
        if pair.value.isEmpty { return [] }
        return pair.value.utf8.split(separator: .comma, omittingEmptySubsequences: false).map {
            QueryParameters.Pair(name: pair.name, value: String(Substring($0)), isExact: pair.isExact)
        }
    }
}
