// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("OAuth2: responses of token endpoints", .timeLimit(.minutes(15)))
struct TokenResponseTests {
    /// Fields beside an access token, and the time after which the token is replaced; `nil` for none.
    static let odd: [(fields: String, lifetime: Double?)] = [
        (#""scope":["a","b"]"#, nil), (#""scope":7"#, nil), (#""scope":null"#, nil), (#""scope":{}"#, nil),
        (#""expires_in":"3600""#, 3600), (#""expires_in":3600.5"#, 3600.5), (#""expires_in":"60.5""#, 60.5),
        (#""expires_in":"0x10""#, nil), (#""expires_in":"nan""#, nil), (#""expires_in":"inf""#, nil),
        (#""expires_in":"soon""#, nil), (#""expires_in":"""#, nil), (#""expires_in":true"#, nil),
        (#""expires_in":[1]"#, nil), (#""expires_in":null"#, nil), (#""expires_in":1e300"#, 315_360_000),
        (#""expires_in":0"#, 1), (#""expires_in":-5"#, 1), (#""expires_in":"-5""#, 1), (#""expires_in":"0""#, 1),
        (#""refresh_token":12345"#, nil), (#""refresh_token":"""#, nil), (#""refresh_token":[]"#, nil),
        (#""token_type":"BEARER""#, nil),
    ]

    @Test("an odd optional field never refuses the response", arguments: odd)
    func optionalFields(fields: String, lifetime: Double?) async throws {
        let clock = TestTime()
        let storage = MemoryStorage(nil)
        let swifty = swifty(#"{"access_token":"tok",\#(fields)}"#, storage, clock)
        for _ in 0..<3 { _ = try await swifty.api.get("x").load() }
        let expiry = storage.token?.expiresAt?.timeIntervalSince(clock.now)
        #expect(expiry == lifetime, "\(fields)")
    }

    @Test("a numeric refresh token is one, an array of scopes is a list, and an empty refresh token is none")
    func values() async throws {
        for (fields, refreshToken, scope) in [
            (#""refresh_token":12345,"scope":["a","b"]"#, "12345", "a b"), (#""refresh_token":"""#, "r", nil),
            (#""scope":"a b""#, "r", "a b"), (#""refresh_token":1.5,"scope":[1]"#, "r", nil),
        ] {
            let storage = MemoryStorage(nil)
            let swifty = swifty(#"{"access_token":"tok",\#(fields)}"#, storage, TestTime(), .refreshToken("r"))
            _ = try await swifty.api.get("x").load()
            #expect(storage.token?.refreshToken == refreshToken, "\(fields)")
            #expect(storage.token?.scope == scope, "\(fields)")
        }
    }

    @Test(
        "an access token that no field can carry is refused when it arrives",
        arguments: [#""""#, #""a b""#, #""tok\n""#, #""tökén""#, #""\u007f""#, #""a\u0000b""#, "7", "null", "[]"]
    )
    func unusable(token: String) async throws {
        let swifty = swifty(#"{"access_token":\#(token),"expires_in":86400}"#, MemoryStorage(nil), TestTime())
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .constraintFailed)
        guard case .unexpectedResponse(200, let reason)? = error?.underlying as? OAuth2.TokenError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("with a token that is not made of") || reason == "without an access token")
    }

    @Test("a bearer token that no field can carry fails the load", arguments: ["", "ü", "a b", "a\n", " "])
    func modifier(token: String) async throws {
        let stub = StubTransport()
        let swifty = Swifty(transport: stub)
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").bearer(token).load() }
        #expect(error?.code == .invalidHeader)
        #expect(stub.requests.isEmpty)
    }

    private func swifty(
        _ body: String,
        _ storage: MemoryStorage,
        _ clock: TestTime,
        _ grant: OAuth2.Grant = .clientCredentials
    ) -> Swifty {
        let oauth = OAuth2(
            tokenURL: "https://auth.example.com/token",
            clientID: "id",
            grant: grant,
            for: "https://api.example.com",
            storage: storage,
            through: Swifty(transport: StubTransport(status: 200, content: body)),
            now: { clock.now }
        )
        return Swifty(transport: StubTransport()) {
            $0.use(oauth)
        }
    }
}
