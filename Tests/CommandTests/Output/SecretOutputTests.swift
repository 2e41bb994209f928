// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@testable import SwiftyCommand

/// Every place of ``SecretPlace`` in what the command prints; Tests/SwiftyTests has the outputs of the library.
@Suite("A secret in the command's output", .timeLimit(.minutes(15)))
struct SecretOutputTests {
    private static let base = BaseResource(
        "https://api.test/v1",
        networkInterface: Swifty(transport: StubTransport()),
        secretNames: SecretNames(["X-Customer"], plain: ["session_color"])
    )

    @Test("is in no head and no content of a request, as -v and --dry-run print it", arguments: SecretPlace.all)
    func requests(place: SecretPlace) async throws {
        let draft = place.request(Self.base, place.secret).draft
        let request = await (try await draft.makeRequest()).withShownContent()
        for text in [MessageText(), MessageText(style: Style(), isFormatting: true)] {
            let shown = text.requestHead(request) + text.requestContent(request)
            #expect(SecretSearch.spelling(of: place.secret, in: shown) == nil, "\(place): \(shown)")
        }
        let all = MessageText(hidesSecrets: false)
        let shown = all.requestHead(request) + all.requestContent(request)
        let isBinary = shown.contains("bytes that are not text")
        #expect(isBinary || SecretSearch.spelling(of: place.secret, in: shown) != nil, "\(place): \(shown)")
    }

    @Test("is in no head of a response, as -v prints it")
    func heads() {
        let head = ResponseHead(
            statusCode: 200,
            reasonPhrase: "Bearer abc123Hush",
            headers: [.setCookie: "a=Hush", .location: "/a?code=Hush", .link: "<https://x.test/?token=Hush>; rel=next"]
        )
        let shown = MessageText().head(head, hidesSecrets: true)
        #expect(!shown.contains("Hush"), "\(shown)")
        #expect(MessageText().head(head, hidesSecrets: false).contains("abc123Hush"))
    }

    @Test("hides what a value of any kind has in JSON, and keeps its type", arguments: [false, true])
    func json(isFormatting: Bool) throws {
        var request = NetworkRequest(method: .post, target: try TargetURI("https://api.test/"))
        request.headers[.contentType] = "application/json"
        let text = #"{"user":"a","password":"b","token":{"x":[1]},"l":[{"api_key":7}],"z":1}"#
        request.content = .data(Data(text.utf8))
        let shown = MessageText(isFormatting: isFormatting).requestContent(request)
        let compact = shown.filter { !$0.isWhitespace }
        #expect(compact == #"{"user":"a","password":"REDACTED","token":{"x":[0]},"l":[{"api_key":0}],"z":1}"#)
    }

    @Test("is in no output of the command itself")
    func command() async throws {
        let server = try LoopbackServer { server in
            server.route("POST", "/bot1234567:AAHushHushHush/x") { _ in LoopbackResponse(status: 404) }
        }
        let url = "\(server.url)/bot1234567:AAHushHushHush/x"
        let items = ["POST", url, "next==https://x.test/?token=Hush", "Referer:/a?sig=Hush", "cvv=Hush", "u=b"]
        for option in ["-v", "--curl", "--dry-run"] {
            let run = try await Program.run("swifty", [option] + items)
            let output = String(decoding: run.bytes, as: UTF8.self) + run.errors
            #expect(SecretSearch.spelling(of: "Hush", in: output) == nil, "\(option): \(output)")
            #expect(output.contains("REDACTED"), "\(option): \(output)")
        }
        let failed = try await Program.swifty("http://127.0.0.1:1/bot1234567:AAHushHushHush/x")
        #expect(!failed.errors.contains("Hush"), "\(failed.errors)")
    }
}
