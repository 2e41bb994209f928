// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What is written in another place, unavailable, so that the compiler says where.
extension TypedResource {
    /// Not available: the type of the value is known.
    @available(*, unavailable, message: "the type is that of decode(_:); call load()")
    public func load<Other: Decodable & Sendable>(_ type: Other.Type) async throws(SwiftyError) -> Other {
        throw SwiftyError(.decodingFailed, stage: .decoding)
    }

    /// Not available: the content comes before the type of the value.
    @available(*, unavailable, message: "set the content before decode(_:): post(…).json(value).decode(User.self)")
    @discardableResult
    public func json(_ value: some Encodable) -> Self { self }

    /// Not available: the content comes before the type of the value.
    @available(*, unavailable, message: "set the content before decode(_:): post(…).json(value).decode(User.self)")
    @discardableResult
    public func json(_ object: [String: Any]) -> Self { self }

    /// Not available: the content comes before the type of the value.
    @available(*, unavailable, message: "set the content before decode(_:): post(…).fields(pairs).decode(User.self)")
    @discardableResult
    public func fields(_ fields: [String: Any?]) -> Self { self }
}
