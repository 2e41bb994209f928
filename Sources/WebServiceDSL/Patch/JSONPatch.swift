// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The content of a PATCH request as a list of operations, which a server applies in their order (RFC 6902).
///
///     let patch = JSONPatch([
///         .test("/version", 3),
///         .replace("/title", "New"),
///         .add("/tags/-", "swift"),
///         .remove("/draft"),
///         .move(from: "/writer", to: "/author"),
///     ])
///
/// The server applies all operations or none (RFC 6902 §5): with ``Operation/test(_:_:)`` first, it changes only the
/// version of the document that the author of the patch knows.
///
/// Values are encoded by the encoder of the patch, so that its strategies for dates, data and keys apply to them. The
/// paths, and the names `op`, `path`, `from` and `value`, are the same with every strategy of a `JSONEncoder`.
public struct JSONPatch: Sendable, Encodable {
    /// The media type of the content: `application/json-patch+json` (RFC 6902 §6).
    public static let mediaType = "application/json-patch+json"

    /// The operations in the order in which the server applies them.
    public var operations: [Operation]

    /// Makes a patch of operations. One without operations changes nothing.
    public init(_ operations: [Operation] = []) {
        self.operations = operations
    }

    /// Encodes an array of operations.
    ///
    /// - Throws: `EncodingError` for a path whose literal is invalid, and for a ``Operation/move(from:to:)`` of a value
    ///   into itself; the error of a value that cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(operations)
    }
}

extension JSONPatch: ExpressibleByArrayLiteral {
    /// Makes a patch of operations.
    public init(arrayLiteral elements: Operation...) {
        self.init(elements)
    }
}
