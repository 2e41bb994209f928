// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("A nonce that other requests use", .timeLimit(.minutes(15)))
struct DigestNonceTests {
    @Test("and that its server accepts only once fails no load", arguments: [true, false])
    func usedUp(saysStale: Bool) async throws {
        let server = OneTimeServer(saysStale: saysStale)
        let store = CredentialStore()
        try store.set(.digest(user: "user", password: "password"), for: "https://printer.test")
        let swifty = Swifty(transport: StubTransport { await server.respond(to: $0) }) { $0.credentials = store }
        let base = BaseResource("https://printer.test", networkInterface: swifty)

        _ = try await base.get("first").load()
        // Its answer to the next challenge is on its way while another load uses what it has made known.
        let held = Task { try await base.get("held").load() }
        try await until { server.isHolding }
        _ = try await base.get("other").load()
        server.gate.open()
        #expect(try await held.value.statusCode == 200)
    }
}

/// A server that accepts each of its nonces once, and holds the first answer of one load to a new nonce.
private final class OneTimeServer: Sendable {
    private struct State {
        var nonceCount = 0
        var used: Set<String> = []
        var isHolding = false
    }

    let gate = Gate()
    private let saysStale: Bool
    private let state = Mutex(State())

    init(saysStale: Bool) {
        self.saysStale = saysStale
    }

    var isHolding: Bool { state.withLock { $0.isHolding } }

    func respond(to request: NetworkRequest) async -> TransportResponse {
        let field = request.headers[.authorization] ?? ""
        guard let nonce = field.split(separator: "\"").first(where: { $0.hasPrefix("n") && $0.count == 2 }) else {
            return challenge(isStale: false)
        }
        if request.target.path == "/held", nonce != "n1" {
            let isFirst = state.withLock { state in
                defer { state.isHolding = true }
                return !state.isHolding
            }
            if isFirst { await gate.wait() }
        }
        let isAccepted = state.withLock { $0.used.insert("\(nonce)").inserted }
        return isAccepted
            ? TransportResponse(head: ResponseHead(statusCode: 200), content: Data()) : challenge(isStale: true)
    }

    private func challenge(isStale: Bool) -> TransportResponse {
        let number = state.withLock { state in
            state.nonceCount += 1
            return state.nonceCount
        }
        let stale = isStale && saysStale ? ", stale=true" : ""
        let value = "Digest realm=\"r\", nonce=\"n\(number)\", qop=\"auth\"\(stale)"
        let head = ResponseHead(statusCode: 401, headers: [.wwwAuthenticate: value])
        return TransportResponse(head: head, content: Data())
    }
}
