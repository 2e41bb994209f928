// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension JSONPatch {
    /// An operation of a ``JSONPatch``. A value that is `nil` is sent as null.
    public struct Operation: Sendable {
        private let name: String
        private let path: JSONPointer
        private var source: JSONPointer?
        private var value: PatchValue?

        /// Adds a member to an object, or replaces it; inserts an element into an array before the index, or after the
        /// last element if the path ends with `-`; replaces the whole document if the path is empty (RFC 6902 §4.1).
        public static func add(_ path: JSONPointer, _ value: (any Encodable & Sendable)?) -> Operation {
            Operation(name: "add", path: path, value: PatchValue(value))
        }

        /// Removes the value, which must exist (RFC 6902 §4.2).
        public static func remove(_ path: JSONPointer) -> Operation {
            Operation(name: "remove", path: path)
        }

        /// Replaces the value, which must exist (RFC 6902 §4.3).
        public static func replace(_ path: JSONPointer, _ value: (any Encodable & Sendable)?) -> Operation {
            Operation(name: "replace", path: path, value: PatchValue(value))
        }

        /// Removes the value of a path, and adds it at another one, which cannot be inside of the value (RFC 6902
        /// §4.4).
        public static func move(from source: JSONPointer, to path: JSONPointer) -> Operation {
            Operation(name: "move", path: path, source: source)
        }

        /// Adds the value of a path at another one (RFC 6902 §4.5).
        public static func copy(from source: JSONPointer, to path: JSONPointer) -> Operation {
            Operation(name: "copy", path: path, source: source)
        }

        /// Lets the whole patch fail unless the value of the path is equal to a value (RFC 6902 §4.6).
        public static func test(_ path: JSONPointer, _ value: (any Encodable & Sendable)?) -> Operation {
            Operation(name: "test", path: path, value: PatchValue(value))
        }
    }
}

extension JSONPatch.Operation: Encodable {
    /// Encodes an object.
    ///
    /// - Throws: `EncodingError` for a path whose literal is invalid, and for a ``move(from:to:)`` of a value into
    ///   itself; the error of a value that cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
        try check(at: encoder.codingPath)
        var container = encoder.singleValueContainer()
        try container.encode(PatchValue.object(members))
    }

    private var members: PatchValue.Members {
        var values: [String: PatchValue] = ["op": .encodable(name), "path": .encodable(path)]
        values["from"] = source.map(PatchValue.encodable)
        values["value"] = value
        return PatchValue.Members(values)
    }

    private func check(at codingPath: [any CodingKey]) throws {
        guard name == "move", let source, source.isProperPrefix(of: path) else { return }
        try source.check(at: codingPath)
        let reason = "\"\(source)\" cannot be moved to \"\(path)\", which is inside of it (RFC 6902 §4.4)."
        throw EncodingError.invalidValue(path, EncodingError.Context(codingPath: codingPath, debugDescription: reason))
    }
}
