// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import StorefrontUpstreams

@Suite("The embedded upstreams", .timeLimit(.minutes(15)))
struct EmbeddedUpstreamTests {
    private static let secret = "Basic c3RvcmVmcm9udDpub3QtYS1zZWNyZXQ="

    private struct Token: Decodable {
        var access_token: String
    }

    @Test("answer requests for stocks with a token only")
    func tokens() async throws {
        let issuer = TokenIssuer()
        let token = try await Application(router: issuer.makeRouter()).test(.router) { client in
            #expect(try await client.execute(uri: "/token", method: .post).status == .unauthorized)
            let response = try await client.execute(
                uri: "/token",
                method: .post,
                headers: [.authorization: Self.secret]
            )
            return try response.decode(Token.self).access_token
        }
        let inventory = Application(router: UpstreamRouters.inventory(issuer, faults: .none))
        let fields: HTTPFields = [.authorization: "Bearer \(token)"]
        let statuses = try await inventory.test(.router) { client in
            [
                try await client.get("/items/7/stock").status, try await client.get("/items/7/stock", fields).status,
                try await client.get("/items/1000/stock", fields).status, try await client.get("/health").status,
            ]
        }
        #expect(statuses == [.unauthorized, .ok, .notFound, .noContent])
    }

    @Test("fail with the same requests in each run")
    func faults() async throws {
        let prices = Application(router: UpstreamRouters.prices(faults: Faults(busyEvery: 3, delayEvery: 0)))
        let statuses = try await prices.test(.router) { client in
            var statuses: [Int] = []
            for _ in 0..<6 { statuses.append(try await client.get("/items/7/price").status.code) }
            return statuses
        }
        #expect(statuses == [200, 200, 503, 200, 200, 503])
    }
}
