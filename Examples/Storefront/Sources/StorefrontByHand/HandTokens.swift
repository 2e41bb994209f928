// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore

/// The token of the inventory, which one request gets for all that wait.
actor HandTokens {
    private struct Response: Decodable {
        enum CodingKeys: String, CodingKey {
            case token = "access_token"
            case lifetime = "expires_in"
        }

        let token: String
        let lifetime: Int
    }

    private let client: HTTPClient
    private let url: String
    private var token: (text: String, end: ContinuousClock.Instant)?
    private var flight: Task<String, any Error>?

    init(_ client: HTTPClient, url: String) { (self.client, self.url) = (client, url) }

    func current() async throws -> String {
        if let token, token.end > .now { return token.text }
        if let flight { return try await flight.value }
        let flight = Task { try await request() }
        self.flight = flight
        defer { self.flight = nil }
        return try await flight.value
    }

    /// Forgets a token that the server has refused.
    func remove(_ refused: String) {
        if token?.text == refused { token = nil }
    }

    private func request() async throws -> String {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = [
            "authorization": "Basic c3RvcmVmcm9udDpub3QtYS1zZWNyZXQ=",
            "content-type": "application/x-www-form-urlencoded",
        ]
        request.body = .bytes(ByteBuffer(string: "grant_type=client_credentials&scope=stock.read"))
        let response = try await client.execute(request, timeout: .seconds(5))
        guard response.status == .ok else { throw HandError.status(Int(response.status.code)) }
        let bytes = try await response.body.collect(upTo: 100_000)
        let answer = try JSONDecoder().decode(Response.self, from: Data(buffer: bytes))
        token = (answer.token, .now + .seconds(answer.lifetime - 30))
        return answer.token
    }
}
