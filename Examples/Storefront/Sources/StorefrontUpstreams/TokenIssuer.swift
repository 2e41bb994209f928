// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Synchronization

/// Issues tokens to a client with the right secret, and knows the valid ones.
final class TokenIssuer: Sendable {
    struct Token: ResponseEncodable {
        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case type = "token_type"
            case lifetime = "expires_in"
        }

        let accessToken: String
        let type = "Bearer"
        let lifetime = 300
    }

    private static let maximumCount = 100
    private let tokens = Mutex<[String]>([])

    /// `POST /token`, with the secret as RFC 6749 §2.3.1 has it: `storefront:not-a-secret` in Base 64.
    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("token") { request, _ in
            guard request.headers[.authorization] == "Basic c3RvcmVmcm9udDpub3QtYS1zZWNyZXQ=" else {
                throw HTTPError(.unauthorized)
            }
            return self.issue()
        }
        return router
    }

    private func issue() -> Token {
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        tokens.withLock { $0 = $0.suffix(Self.maximumCount - 1) + [token] }
        return Token(accessToken: token)
    }

    func accepts(_ request: Request) -> Bool {
        guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else { return false }
        let token = String(field.dropFirst("Bearer ".count))
        return tokens.withLock { $0.contains(token) }
    }
}
