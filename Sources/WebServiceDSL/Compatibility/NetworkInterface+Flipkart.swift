// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
