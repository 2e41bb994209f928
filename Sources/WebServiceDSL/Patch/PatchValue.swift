// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A value of a patch. Each strategy of the encoder applies to it in the same way as elsewhere.
enum PatchValue: Sendable {
    case null
    case encodable(any Encodable & Sendable)
    case array([PatchValue])
    case object(Members)

    /// The members of an object.
    struct Members: Sendable {
        var values: [String: PatchValue]
        /// Whether the names are those of properties, which an encoder may write in another style.
        var areProperties: Bool

        init(_ values: [String: PatchValue] = [:], areProperties: Bool = false) {
            self.values = values
            self.areProperties = areProperties
        }
    }

    init(_ value: (any Encodable & Sendable)?) {
        self = value.map(PatchValue.encodable) ?? .null
    }
}

extension PatchValue: Encodable {
    /// Encodes each value by a container, so that the strategies of the encoder apply to it.
    func encode(to encoder: any Encoder) throws {
        if case .object(let members) = self, members.areProperties {
            return try encode(members.values, to: encoder)
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .encodable(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        // A `JSONEncoder` never changes the keys of a dictionary.
        case .object(let members): try container.encode(members.values)
        }
    }

    private func encode(_ properties: [String: PatchValue], to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PropertyName.self)
        for (name, value) in properties {
            try container.encode(value, forKey: PropertyName(stringValue: name))
        }
    }
}

/// The name of a property.
private struct PropertyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}
