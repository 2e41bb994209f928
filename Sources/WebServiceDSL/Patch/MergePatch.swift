// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The content of a PATCH request as the members that change (RFC 7396, which replaced RFC 7386). A member that is
/// removed is sent as null, and a member that stays as it is is not sent.
///
///     let patch = MergePatch {
///         $0.set("title", "New")
///         $0.remove("draft")
///         $0.set(at: "/author/name", "Ada")
///     }
///
/// An array is always replaced as a whole. Null cannot be set as a value, because it means removal, even inside of an
/// object that is set. A ``JSONPatch`` can change elements and set null.
///
/// Values are encoded by the encoder of the patch, so that its strategies for dates, data and keys apply to them. The
/// names that are passed to the methods are the same with every strategy of a `JSONEncoder`.
public struct MergePatch: Sendable, Encodable {
    /// The media type of the content: `application/merge-patch+json` (RFC 7396 §4).
    public static let mediaType = "application/merge-patch+json"

    /// The greatest number of tokens in a pointer, as each of them is one more level of objects.
    static let maximumDepth = 128

    private var content = PatchValue.object(PatchValue.Members())
    /// The first pointer that is invalid.
    private var failure: Failure?

    /// Makes a patch that changes nothing.
    public init() {}

    /// Makes a patch of the changes that a closure makes.
    ///
    /// - Throws: The error of the closure.
    public init<ThrownError: Error>(
        _ changes: (inout MergePatch) throws(ThrownError) -> Void
    ) throws(ThrownError) {
        try changes(&self)
    }

    /// Makes a patch of the difference between two values.
    ///
    ///     let patch = try MergePatch(from: article, to: edited)
    ///
    /// Members that the old value has and the new one lacks are removed. A property that is `nil` is lacking if the
    /// compiler wrote the conformance to `Encodable`. A null in the new value removes the member as well: a server
    /// cannot tell the two apart. Arrays that differ are replaced as a whole. Without a difference, the patch
    /// ``isEmpty``.
    ///
    /// A value that is not an object, such as an array, is sent as a whole, and replaces the whole document.
    ///
    /// The names of properties follow the key strategy of the encoder, as they do without a patch. The values encode
    /// themselves without the `userInfo` of that encoder.
    ///
    /// - Throws: The error of a value that cannot be encoded.
    public init(from old: some Encodable, to new: some Encodable) throws {
        let value = try PatchValue(parts: new)
        let difference = PatchValue.difference(from: try PatchValue(parts: old), to: value)
        if case .object(let members) = value {
            content = difference ?? .object(PatchValue.Members(areProperties: members.areProperties))
        } else {
            content = value
        }
    }

    /// Whether the patch is an object without members, which changes nothing.
    public var isEmpty: Bool {
        guard case .object(let members) = content, failure == nil else { return false }
        return members.values.isEmpty
    }

    /// Encodes an object with the changed members.
    ///
    /// - Throws: `EncodingError` for an invalid pointer; the error of a value that cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
        if let failure { throw failure.error(at: encoder.codingPath) }
        var container = encoder.singleValueContainer()
        try container.encode(content)
    }
}

// MARK: Changes

extension MergePatch {
    /// Sets a member of the document. `nil` removes it.
    public mutating func set(_ name: String, _ value: (any Encodable & Sendable)?) {
        set(at: JSONPointer([name]), value)
    }

    /// Sets a member of a nested object, which a server makes if the document lacks it. `nil` removes the member.
    ///
    /// Each token of the pointer is the name of a member: a merge patch cannot change an element of an array. A later
    /// change of the same member, or of one that contains it, replaces an earlier one. The empty pointer sets the whole
    /// patch: an object is merged into the document, any other value replaces it.
    ///
    /// A pointer that is an invalid literal, or has more than 128 tokens, is an error when the patch is encoded.
    public mutating func set(at pointer: JSONPointer, _ value: (any Encodable & Sendable)?) {
        do throws(JSONPointer.ValidationError) {
            let tokens = try pointer.validTokens()
            guard tokens.count <= Self.maximumDepth else {
                throw JSONPointer.ValidationError(reason: "it has more than \(Self.maximumDepth) tokens")
            }
            content.set(PatchValue(value), at: tokens[...])
        } catch {
            failure = failure ?? Failure(pointer: pointer, reason: error)
        }
    }

    /// Removes a member of the document.
    public mutating func remove(_ name: String) {
        set(name, nil)
    }

    /// Removes a member of a nested object; see ``set(at:_:)`` for the pointer.
    public mutating func remove(at pointer: JSONPointer) {
        set(at: pointer, nil)
    }

    /// A pointer that cannot be used.
    private struct Failure {
        let pointer: JSONPointer
        let reason: JSONPointer.ValidationError

        func error(at codingPath: [any CodingKey]) -> EncodingError {
            let context = EncodingError.Context(
                codingPath: codingPath,
                debugDescription: "\"\(pointer)\" cannot be a pointer of a merge patch: \(reason.reason).",
                underlyingError: reason
            )
            return .invalidValue(pointer, context)
        }
    }
}

extension PatchValue {
    /// Sets the value that some names lead to, from object to object. What is not an object becomes one.
    fileprivate mutating func set(_ value: PatchValue, at names: ArraySlice<String>) {
        guard let name = names.first else {
            self = value
            return
        }
        var members = Members()
        if case .object(let known) = self { members = known }
        // Without a second reference to the members, which would be copied.
        self = .null
        members.values[name, default: .null].set(value, at: names.dropFirst())
        self = .object(members)
    }
}
