// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

/// The same as ``NetworkInterface``.
public typealias WebServiceNetworkInterface = NetworkInterface

extension NetworkInterface {
    /// Loads a resource with this interface, and calls the closure once, on an unspecified thread.
    public func loadResource(
        resource: NetworkResource,
        completion: @escaping @Sendable (NetworkResponse) -> Void
    ) {
        let draft = resource.draft
        Task { completion(await load(draft, cancellation: LoadCancellation())) }
    }
}

extension WebService {
    /// The same as ``server(_:)``.
    public static func customResource(with baseURL: String) -> BaseResource {
        server(baseURL)
    }
}

extension NetworkResponse {
    /// The same as ``head``.
    public var response: ResponseHead? { head }

    /// The parsed content: a dictionary, an array or a scalar; `nil` if it is absent or not JSON.
    public var result: Any? { (try? json()) ?? nil }

    /// The same as ``succeed(head:data:)``.
    public func succeed(response: ResponseHead?, data: Data?) {
        succeed(head: response, data: data)
    }
}
