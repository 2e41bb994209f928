// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

/// As ``NetworkInterface``.
public typealias WebServiceNetworkInterface = NetworkInterface

extension NetworkInterface {
    /// Loads a resource and calls back once, on a thread of no particular kind.
    public func loadResource(
        resource: NetworkResource,
        completion: @escaping @Sendable (NetworkResponse) -> Void
    ) {
        let draft = resource.draft
        Task { completion(await load(draft, cancellation: LoadCancellation())) }
    }
}

extension WebService {
    /// As ``server(_:)``.
    public static func customResource(with baseURL: String) -> BaseResource {
        server(baseURL)
    }
}

extension NetworkResponse {
    /// As ``head``.
    public var response: ResponseHead? { head }

    /// The parsed content: a dictionary, an array or a scalar; `nil` if there is none or it is not JSON.
    public var result: Any? { (try? json()) ?? nil }

    /// As ``succeed(head:data:)``.
    public func succeed(response: ResponseHead?, data: Data?) {
        succeed(head: response, data: data)
    }
}
