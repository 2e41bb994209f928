// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

@testable import Swifty
@testable import SwiftyTransport

/// Signs in as a hook of a request, which a refresh must not lose.
private struct SignIn: RequestInterceptor, Swifty.Observer {
    let token: String

    func intercept(resource: NetworkResource) -> NetworkResource { resource.header(.authorization, token) }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {}
}

extension CachingPlan.Credential {
    /// What a cache sees of it: equal ones of equal users may share responses.
    var key: String { self == .hook ? "token" : "\(self)" }
}

extension CachingPlan.Load {
    /// The resource with what shows whose it is, and the policy.
    ///
    /// - Parameter number: The number of the load.
    func signed(_ resource: NetworkResource, number: Int) -> NetworkResource {
        let policy = CachePolicy(mode)
        switch credential {
        case .token: return resource.header(.authorization, "Bearer \(user)").cache(policy)
        case .hook: return resource.use(SignIn(token: "Bearer \(user)")).cache(policy)
        case .cookie: return resource.header(.cookie, "user=\(user)").cache(policy)
        case .declaredValue:
            let value = "value-of-\(user)"
            return resource.header(.client, value).secret(value).cache(policy)
        case .declaredName: return resource.header(.customer, "\(user)").cache(policy)
        case .named:
            return resource.header(.authorization, "Bearer \(user) \(number)")
                .cache(CachePolicy(mode, partition: "user \(user)"))
        }
    }
}

extension NetworkRequest {
    /// The user that a request of a load shows; `nil` if it shows none.
    func user(of load: CachingPlan.Load) -> String? {
        switch load.credential {
        case .token, .hook: headers[.authorization]?.after("Bearer ")
        case .cookie: headers[.cookie]?.after("user=")
        case .declaredValue: headers[.client]?.after("value-of-")
        case .declaredName: headers[.customer]
        case .named: headers[.authorization]?.after("Bearer ").map { String($0.prefix { $0 != " " }) }
        }
    }
}

extension String {
    fileprivate func after(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}

extension HTTPField.Name {
    fileprivate static let client = literal("X-Client")
    fileprivate static let customer = literal("X-Customer")

    /// The field whose name the service declares to be secret.
    static var secretName: String { customer.rawName }
}
