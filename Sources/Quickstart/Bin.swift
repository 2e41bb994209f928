// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// httpbin as a type with a function for each request: this is all that the author of an API writes.
final class Bin: WebService {
    /// Set once by `main`, before the first request: the URL of the embedded server, or of `--server`.
    static let baseURL = Mutex("https://httpbin.org")

    static var serverURL: String { baseURL.withLock { $0 } }

    static let networkInterface: any NetworkInterface = Swifty(
        constraints: [OAuthConstraint()],
        requestInterceptors: [TokenInterceptor()]
    )

    static func ip() -> NetworkResource {
        server.get("ip").constraints(.none)
    }

    static func createUser(_ user: User) -> NetworkResource {
        server.post("post").json(user).header(key: "My", value: "Header").constraints(.none)
    }

    static func search(for text: String) -> TypedResource<Echo> {
        server.get("anything/{text}", ["text": text]).query(["page": 1]).constraints(.none).decode(Echo.self)
    }

    /// Fails with 401 unless the request has a token, which the constraint and the interceptor provide.
    static func account() -> TypedResource<Account> {
        server.get("bearer").tag("authorized").decode(Account.self)
    }

    static func token() -> TypedResource<Token> {
        server.get("uuid").name("token").decode(Token.self)
    }

    static func missing() -> NetworkResource {
        server.get("status/404").constraints(.none)
    }
}

struct User: Codable, Sendable {
    var name: String
}

struct Echo: Decodable, Sendable {
    var method: String
    var url: String
    var args: [String: String]
}

struct Account: Decodable, Sendable {
    var authenticated: Bool
    var token: String
}

struct Token: Decodable, Sendable {
    var uuid: String
}
