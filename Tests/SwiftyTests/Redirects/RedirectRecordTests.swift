// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

extension EventNames {
    /// The names of interceptions, redirects and ends of attempts.
    fileprivate convenience init() {
        self.init { event, _ in
            switch event {
            case .intercepted: "intercepted"
            case .redirected(let record): "\(record.statusCode) \(record.to)"
            case .attemptEnded(let record): "ended \(record.redirects.count)"
            default: nil
            }
        }
    }
}

/// Tests without sockets, for other schemes and secrets in URLs.
@Suite("The record of redirects", .timeLimit(.minutes(15)))
struct RedirectRecordTests {
    /// Redirects `/a` to a URL, and responds with success to other requests.
    private func stub(to location: String, status: Int = 302) -> StubTransport {
        StubTransport { request in
            let isFirst = request.target.path == "/a"
            return TransportResponse(
                head: ResponseHead(statusCode: isFirst ? status : 200, headers: isFirst ? [.location: location] : [:]),
                content: Data()
            )
        }
    }

    @Test("is given to observers between the hops, without secrets, and with the fragment")
    func observers() async throws {
        let names = EventNames()
        let stub = stub(to: "https://b.test/x?token=canary#access_token=canary&state=1")
        let swifty = Swifty(transport: stub) { $0.use(names) }
        let response = try await swifty.api.get("a").load()
        let to = "https://b.test/x?token=REDACTED#access_token=REDACTED&state=1"
        #expect(names.all == ["intercepted", "302 \(to)", "ended 1"])
        #expect(response.metrics.redirects.first?.to == to)
        #expect(stub.requests.last?.target.string == "https://b.test/x?token=canary")
        var text = ""
        dump(response.metrics, to: &text)
        #expect(!text.contains("canary"))
    }

    @Test("ends with the response that led from https to http")
    func downgrade() async throws {
        let stub = stub(to: "http://api.example.com/x")
        let error = await #expect(throws: SwiftyError.self) { try await Swifty(transport: stub).api.get("a").load() }
        #expect(error?.code == .insecureRedirect)
        #expect(error?.statusCode == 302)
        #expect(stub.requests.count == 1)
        let lax = RedirectPolicy(allowsDowngrade: true)
        _ = try await Swifty(transport: stub).api.get("a").bearer("canary").redirects(lax).load()
        #expect(stub.requests.count == 3)
        #expect(stub.requests.last?.headers[.authorization] == nil)
    }

    @Test("shares its transfers with equal loads, hop by hop")
    func coalescing() async throws {
        let stub = stub(to: "/x")
        let swifty = Swifty(transport: stub) { $0.coalesces = true }
        #expect(try await swifty.api.get("a").load().request?.target.path == "/x")
        #expect(stub.requests.count == 2)
    }
}
