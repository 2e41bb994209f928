// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The sample of Docs/Credentials.md, word for word except for the servers' URLs: OAuthSampleTests compares and runs it.

import Foundation
import Swifty
import Synchronization

/// What a token endpoint issues (RFC 6749 §5.1).
struct Tokens: Decodable, Sendable {
    var access: String
    var refresh: String?

    enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case refresh = "refresh_token"
    }
}

/// There is no refresh token, or it was revoked: the user must sign in.
struct SignInNeeded: Error {}

/// The tokens of the user.
final class Session: Sendable {
    static let shared = Session()
    private let state = Mutex<(access: String?, refresh: String?)>((nil, nil))

    var accessToken: String? { state.withLock { $0.access } }
    var refreshToken: String? { state.withLock { $0.refresh } }

    func signIn(_ tokens: Tokens) {
        state.withLock { $0 = (tokens.access, tokens.refresh) }
    }

    /// Replaces a refresh token by new tokens, or by none if it was revoked, unless the user has signed in meanwhile.
    func replace(_ refreshToken: String, with tokens: Tokens?) {
        state.withLock { state in
            if state.refresh == refreshToken { state = (tokens?.access, tokens.map { $0.refresh ?? refreshToken }) }
        }
    }

    /// Drops the access token of a refused request, unless it was replaced already.
    func drop(authorization: String) {
        state.withLock { if authorization == "Bearer \($0.access ?? "")" { $0.access = nil } }
    }
}

/// The authorization server, without constraints.
final class Accounts: WebService {
    static var serverURL: String { SampleServer.url }
    static let networkInterface: any NetworkInterface = Swifty.shared

    static func signIn(_ name: String, password: String) -> TypedResource<Tokens> {
        token(["grant_type": "password", "username": name, "password": password])
    }
    static func refresh(_ refreshToken: String) -> TypedResource<Tokens> {
        token(["grant_type": "refresh_token", "refresh_token": refreshToken])
    }
    private static func token(_ fields: [String: String]) -> TypedResource<Tokens> {
        server.post("token").fields(fields).decode(Tokens.self)
    }
}

/// Holds loads while there is no access token, and gets one with the refresh token, once for all waiting loads.
final class SignedIn: AsyncConstraint {
    func isSatisfied(for resource: NetworkResource) async -> Bool { Session.shared.accessToken != nil }

    func satisfy(for resource: NetworkResource) async throws {
        guard let refreshToken = Session.shared.refreshToken else { throw SignInNeeded() }
        do {
            let tokens = try await Accounts.refresh(refreshToken).load()
            Session.shared.replace(refreshToken, with: tokens)
        } catch let error where Self.isRevoked(error) {
            Session.shared.replace(refreshToken, with: nil)
            throw SignInNeeded()
        }  // any other error fails all waiting loads; the next load tries again
    }

    /// Drops a refused access token; the request then waits for a new one and is sent once more.
    func invalidate(after response: NetworkResponse) async -> Bool {
        guard response.statusCode == 401 else { return false }
        Session.shared.drop(authorization: response.request?.headers[.authorization] ?? "")
        return true
    }

    /// Whether the refresh token has expired or was revoked (`invalid_grant`, RFC 6749 §5.2).
    private static func isRevoked(_ error: SwiftyError) -> Bool {
        struct ErrorResponse: Decodable { var error: String }
        let response = error.content.flatMap { try? JSONDecoder().decode(ErrorResponse.self, from: $0) }
        return response?.error == "invalid_grant"
    }
}

struct TokenInterceptor: RequestInterceptor {
    func intercept(resource: NetworkResource) -> NetworkResource {
        guard let token = Session.shared.accessToken else { return resource }
        return resource.bearer(token)
    }
}

final class Shop: WebService {
    static var serverURL: String { SampleServer.url }
    static let networkInterface: any NetworkInterface = Swifty {
        $0.use(SignedIn(), TokenInterceptor())
    }

    static func orders() -> NetworkResource {
        server.get("orders")
    }
}

/// After a revocation every load fails with `constraintFailed`, until the user has signed in again.
func orders(signIn: () async throws -> (name: String, password: String)) async throws -> String {
    do {
        return try await Shop.orders().load().text()
    } catch let error where error.underlying is SignInNeeded {
        let user = try await signIn()
        Session.shared.signIn(try await Accounts.signIn(user.name, password: user.password).load())
        return try await Shop.orders().load().text()
    }
}
