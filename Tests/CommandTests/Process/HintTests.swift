// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Testing

@testable import SwiftyCommand

@Suite("The hint of an error", .timeLimit(.minutes(15)))
struct HintTests {
    private func hint(
        _ code: SwiftyError.Code,
        _ stage: SwiftyError.Stage,
        reason: String = "",
        url: String
    ) throws -> String? {
        var error = SwiftyError(code, stage: stage, reason: reason)
        error.request = NetworkRequest.Summary(NetworkRequest(method: .get, target: try TargetURI(url)))
        return Hint.text(for: error)
    }

    @Test("names the other scheme if the server seems to speak it")
    func schemes() throws {
        let reason = "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number"
        let plain = try hint(.tlsFailed, .tls, reason: reason, url: "https://a.test:8080/")
        #expect(plain?.contains("write http://") == true)
        let other = try hint(.tlsFailed, .tls, reason: "handshake failure", url: "https://a.test/")
        #expect(other?.contains("TLS 1.2") == true)
        let secure = try hint(.connectionLost, .firstByte, url: "http://a.test:8443/")
        #expect(secure?.contains("write https://") == true)
        #expect(try hint(.connectionLost, .firstByte, url: "https://a.test/") == nil)
        #expect(try hint(.connectionLost, .content, url: "http://a.test/") == nil)
    }

    @Test("offers a server for tests only on this machine")
    func servers() throws {
        #expect(try hint(.connectionFailed, .connect, url: "http://localhost:1/")?.contains("swifty serve") == true)
        #expect(try hint(.connectionFailed, .connect, url: "http://127.0.0.1:1/")?.contains("swifty serve") == true)
        #expect(try hint(.connectionFailed, .connect, url: "https://a.test/")?.contains("swifty serve") == false)
    }

    @Test("names a subcommand that was misspelt, and so taken for a host")
    func subcommands() throws {
        let misspelt = try hint(.nameResolutionFailed, .nameLookup, url: "https://servr/")
        #expect(misspelt == "Did you mean swifty serve?")
        let host = try hint(.nameResolutionFailed, .nameLookup, url: "https://a.test/")
        #expect(host?.contains("--resolve HOST:PORT:ADDR") == true)
    }

    @Test("names the option of the time limit that was reached")
    func limits() throws {
        for (limit, option) in [
            (.total, "--timeout"), (.attempt, "--attempt-timeout"), (.connect, "--connect-timeout"),
            (.idle, "--idle-timeout"),
        ] as [(SwiftyError.TimeLimit, String)] {
            var error = SwiftyError(.timedOut, stage: .firstByte)
            error.timeLimit = limit
            #expect(Hint.text(for: error) == "\(option) SECONDS sets another limit.")
        }
    }
}
