// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.URL

/// Requests with a URL in place of a path, unavailable, so that the compiler gives the reason.
@available(
    *,
    unavailable,
    message: "a path is joined to the server's URL: get(\"users\"); start requests to another URL with server(_:)"
)
extension BaseResource {
    /// Not available: a path is joined to the server's URL.
    public func get(_ url: URL) -> NetworkResourceWithoutBody { get() }

    /// Not available: a path is joined to the server's URL.
    public func head(_ url: URL) -> NetworkResourceWithoutBody { head() }

    /// Not available: a path is joined to the server's URL.
    public func options(_ url: URL) -> NetworkResourceWithoutBody { options() }

    /// Not available: a path is joined to the server's URL.
    public func post(_ url: URL) -> NetworkResourceWithBody { post() }

    /// Not available: a path is joined to the server's URL.
    public func put(_ url: URL) -> NetworkResourceWithBody { put() }

    /// Not available: a path is joined to the server's URL.
    public func patch(_ url: URL) -> NetworkResourceWithBody { patch() }

    /// Not available: a path is joined to the server's URL.
    public func delete(_ url: URL) -> NetworkResourceWithBody { delete() }
}
