// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

// Safety: adds no state to `NetworkResource`.
/// A request that carries no body: `get`, `head`, `options`. The compiler refuses one.
public final class NetworkResourceWithoutBody: NetworkResource, @unchecked Sendable {
    /// Not available: a GET, HEAD or OPTIONS request carries no body.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no body; use post(_:), put(_:) or patch(_:)"
    )
    @discardableResult
    public override func data(_ data: Data, mimeType: String? = nil) -> Self {
        super.data(data, mimeType: mimeType)
    }
}

/// The body modifiers again, so that the compiler's message explains itself.
extension NetworkResourceWithoutBody {
    /// Not available: a GET, HEAD or OPTIONS request carries no body.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no body; use post(_:), put(_:) or patch(_:)"
    )
    @discardableResult
    public func json(_ value: some Encodable) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no body.
    @available(
        *,
        unavailable,
        message: "a GET, HEAD or OPTIONS request carries no body; use post(_:), put(_:) or patch(_:)"
    )
    @discardableResult
    public func json(body: [String: Any]) -> Self { self }

    /// Not available: a GET, HEAD or OPTIONS request carries no body.
    @available(*, unavailable, message: "a GET, HEAD or OPTIONS request carries no body; use query(_:) for parameters")
    @discardableResult
    public func fields(_ fields: [String: Any]) -> Self { self }
}
