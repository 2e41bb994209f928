// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The content modifiers, unavailable, so that the compiler gives the reason.
@available(
    *,
    unavailable,
    message: "a GET, HEAD or OPTIONS request carries no content; use post(_:), put(_:) or patch(_:)"
)
extension NetworkResourceWithoutBody {
    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    @_disfavoredOverload
    public func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func json(_ object: [String: Any]) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func json(_ array: [Any]) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func text(_ text: String, contentType: String = "") -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func file(_ path: String, contentType: String? = nil) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func multipart(name: String, value: String, headers: [String: String] = [:]) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func multipart(
        name: String,
        data: Data,
        fileName: String? = nil,
        contentType: String? = nil,
        headers: [String: String] = [:]
    ) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func multipart(
        name: String,
        file path: String,
        fileName: String? = nil,
        contentType: String? = nil,
        headers: [String: String] = [:]
    ) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func multipart<Chunks: AsyncSequence>(
        name: String,
        stream makeChunks: @escaping @Sendable () async throws -> Chunks,
        fileName: String? = nil,
        contentType: String? = nil,
        length: Int64? = nil,
        headers: [String: String] = [:],
        isReplayable: Bool = true
    ) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func multipart(
        name: String,
        stream write: @escaping @Sendable (ContentWriter) async throws -> Void,
        fileName: String? = nil,
        contentType: String? = nil,
        length: Int64? = nil,
        headers: [String: String] = [:],
        isReplayable: Bool = true
    ) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func stream<Chunks: AsyncSequence>(
        length: Int64? = nil,
        contentType: String = "",
        isReplayable: Bool = true,
        _ makeChunks: @escaping @Sendable () async throws -> Chunks
    ) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @discardableResult
    public func stream(
        length: Int64? = nil,
        contentType: String = "",
        isReplayable: Bool = true,
        _ write: @escaping @Sendable (ContentWriter) async throws -> Void
    ) -> Self { self }
}

extension NetworkResourceWithoutBody {
    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no content; use query(_:) for parameters"
    )
    @discardableResult
    public func fields(_ fields: [String: Any?], encoding: QueryEncoding? = nil) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no content; use query(_:) for parameters"
    )
    @discardableResult
    public func fields(_ pairs: [(String, String?)], encoding: QueryEncoding? = nil) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no content.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no content; use query(_:) for parameters"
    )
    @_disfavoredOverload
    @discardableResult
    public func fields(_ value: some Encodable, encoding: QueryEncoding? = nil) -> Self { self }
}
