// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTestServers
import Testing

/// Puts one secret in every place for secrets, and searches for it in everything that can be printed.
@Suite("A secret", .timeLimit(.minutes(15)))
struct CanaryTests {
    private static let canary = "canary-7f3a"

    private func swifty(_ transcript: Transcript, retry: RetryPolicy = .none) -> Swifty {
        Swifty {
            $0.retry = retry
            $0.use(transcript)
            $0.logger = Logger(label: "test") { _ in TranscriptLog(transcript) }
        }
    }

    /// A POST with the secret in every place that callers put secrets.
    private func secretive(_ url: String, _ path: String, _ swifty: Swifty) -> NetworkResourceWithBody {
        let canary = Self.canary
        return BaseResource(url, networkInterface: swifty).post("\(path)?api%5Fkey=\(canary)")
            .headers([
                "Authorization": "Bearer \(canary)", "Cookie": "sid=\(canary)", "X-Api-Key": canary,
                "X-Auth-Token": canary, "Ocp-Apim-Subscription-Key": canary,
            ])
            .query([
                "access_token": canary, "sig": canary, "X-Amz-Signature": canary,
                "client_secret": canary,
            ])
            .json(["password": canary, "user": "ada"])
            .timeout(.seconds(120))
    }

    private func collect(_ resource: NetworkResourceWithBody, _ transcript: Transcript) async {
        transcript.print(resource)
        transcript.add(resource.cURLDescription)
        do {
            let response = try await resource.load()
            transcript.print(response)
            transcript.print(response.metrics)
            transcript.print(response.request as Any)
        } catch {
            transcript.print(error)
            transcript.print(error.head as Any)
            transcript.print(error.metrics as Any)
            transcript.print(error.request as Any)
        }
    }

    /// Each load has left its events and its line in the log, and no secret is in them.
    private func expectSilence(_ transcript: Transcript, loads: Int = 1, _ what: String) {
        #expect(transcript.logLineCount >= loads, "\(what)")
        #expect(transcript.eventCount >= 2 * loads, "\(what)")
        #expect(transcript.places(of: Self.canary) == [], "\(what)")
        #expect(transcript.brokenLines == [], "\(what)")
    }

    @Test("of a request or a response is in nothing that is printed, whatever the outcome")
    func outcomes() async throws {
        let canary = Self.canary
        let server = try LoopbackServer()
        for (path, response) in [
            ("/fine", LoopbackResponse.text("x")),
            ("/cookies", LoopbackResponse.text("x").header("Set-Cookie", "sid=\(canary); Secure")),
            ("/token", LoopbackResponse.text(#"{"access_token":"\#(canary)"}"#)),
            ("/refused", LoopbackResponse.status(401).header("X-Auth-Token", canary)),
            ("/moved", LoopbackResponse.status(300).header("Location", "/elsewhere?access_token=\(canary)")),
            ("/broken", LoopbackResponse.status(500)),
            ("/reset", LoopbackResponse.text(canary).failing(with: .reset)),
            ("/cut", LoopbackResponse.text(canary + canary).failing(with: .closeAfter(contentBytes: 15))),
        ] {
            server.route("POST", path) { _ in response }
        }
        for path in ["fine", "cookies", "token", "refused", "moved", "broken", "reset", "cut", "missing"] {
            let transcript = Transcript()
            let retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
            await collect(secretive(server.url, path, swifty(transcript, retry: retry)), transcript)
            expectSilence(transcript, path)
        }
        #expect(server.log.last?["X-Api-Key"] == canary)
    }

    @Test("in a malformed head or beside control characters is not repeated by the error")
    func malformed() async throws {
        for head in [
            "HTTP/1.1 200 OK\r\nSet-Cookie : sid=\(Self.canary)\r\n\r\n", "HTTP/1.1 200 OK\r\n\(Self.canary)\r\n\r\n",
            "\(Self.canary) 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: \(Self.canary)\r\n\r\n",
            "HTTP/1.1 500 \u{1b}[31m\u{7}red\r\nX-Note: \u{1b}[2J\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX-Api-Key: \(Self.canary)\r\nContent-Length: 5\r\n\r\n",
        ] {
            let server = try ScriptedServer([.readRequest, .send(head), .close])
            let transcript = Transcript()
            await collect(secretive(server.url, "x", swifty(transcript)), transcript)
            expectSilence(transcript, head)
        }
    }

    @Test("is not in the error of a load that reached no server")
    func beforeTheNetwork() async throws {
        let transcript = Transcript()
        let swifty = swifty(transcript)
        await collect(secretive("http://127.0.0.1:1", "x", swifty), transcript)
        await collect(secretive("http://127.0.0.1:1", "x", swifty).header("X-Note", "a\r\nb"), transcript)
        await collect(secretive("https://user:\(Self.canary)@example.test", "x", swifty), transcript)
        await collect(secretive("https://example.test/?api_key=\(Self.canary)#\(Self.canary)", "x", swifty), transcript)
        await collect(secretive("http://host.invalid", "x", swifty), transcript)
        await collect(secretive("http://host.invalid", "x", swifty).mock(file: "missing.json"), transcript)
        expectSilence(transcript, loads: 6, "before the network")
    }
}
