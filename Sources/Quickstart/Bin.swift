// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// httpbin as a service: this is all that the author of an API writes. The quickstart prints these lines.
struct Bin: WebServiceClient {
    let serverURL: String
    let networkInterface: any NetworkInterface

    func search(for text: String) -> TypedResource<Echo> {
        server.get("anything/\(text)").query("page", 1).decode(Echo.self)
    }
    func missing() -> NetworkResource { server.get("status/404") }
    func account() -> TypedResource<Account> { server.get("bearer").decode(Account.self) }
    func ip() -> NetworkResource { server.get("ip") }
    func log() -> NetworkResource { server.get("stream/3") }
    func archive() -> NetworkResource { server.get("range/\(3_000_000)") }
}

struct Echo: Decodable, Sendable {
    var method: String
    var url: String
}

struct Account: Decodable, Sendable {
    var authenticated: Bool
}

/// Holds every load until there is a token, fetches it once for all of them, and adds it to their requests.
actor SignIn: AsyncConstraint, RequestInterceptor {
    struct Token: Decodable, Sendable {
        var uuid: String
    }

    private let server: BaseResource
    private var token: Token?
    private(set) var fetches = 0

    init(at serverURL: String) {
        server = BaseResource(serverURL, networkInterface: Swifty.shared)
    }

    func isSatisfied(for resource: NetworkResource) -> Bool {
        token != nil
    }

    func satisfy(for resource: NetworkResource) async throws {
        fetches += 1
        token = try await server.get("uuid").load(Token.self)
    }

    func intercept(resource: NetworkResource) -> NetworkResource {
        token.map { resource.bearer($0.uuid) } ?? resource
    }
}
