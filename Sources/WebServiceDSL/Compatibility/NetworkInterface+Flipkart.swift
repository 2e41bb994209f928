// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

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

    /// Loads a draft with ``loadResource(resource:completion:)``: the whole of ``load(_:cancellation:)`` for an
    /// interface that implements that method alone.
    ///
    /// A cancellation ends the wait for the closure, and not what the interface does. Later calls of the closure have
    /// no effect.
    public func loadResource(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        if LegacyLoads.depth > LegacyLoads.limit {
            return draft.failure(.noNetworkInterface, "\(type(of: self)) implements neither load nor loadResource")
        }
        let outcome = Promise<NetworkResponse>()
        let registration = cancellation.onCancel { code in
            outcome.resolve(draft.failure(code, cancellation.reason ?? "the load was cancelled"))
        }
        defer { cancellation.remove(registration) }
        if cancellation.code == nil {
            LegacyLoads.$depth.withValue(LegacyLoads.depth + 1) {
                let resource = NetworkResource.make(of: draft, networkInterface: self)
                loadResource(resource: resource) { outcome.resolve($0) }
            }
        }
        return await outcome.value()
    }
}

/// The loads within which the current one was begun, each by an interface that implements `loadResource`.
private enum LegacyLoads {
    /// More of them mean that an interface loads with itself.
    static let limit = 30
    @TaskLocal static var depth = 0
}

extension RequestDraft {
    fileprivate func failure(_ code: SwiftyError.Code, _ reason: String) -> NetworkResponse {
        var error = SwiftyError(code, stage: .queue, sent: .maybeSent, reason: reason)
        error.request = summary
        return NetworkResponse(of: self, error: error, request: nil)
    }
}

extension WebService {
    /// The same as ``server(_:)``.
    public static func customResource(with baseURL: String) -> BaseResource {
        server(baseURL)
    }
}
