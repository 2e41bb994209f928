// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Every place of ``SecretPlace`` in every output of the library; Tests/CommandTests has those of the command.
@Suite("A secret", .timeLimit(.minutes(15)))
struct SecretTableTests {
    private static let names = SecretNames(["X-Customer"], plain: ["session_color"])

    /// Fails if a text has the secret in any spelling.
    private func expect(_ secret: String, isNotIn text: String, _ output: String, at place: SecretPlace) {
        let spelling = SecretSearch.spelling(of: secret, in: text)
        #expect(spelling == nil, "\(output), \(place): \(text.prefix(2000))")
    }

    private func base(_ interface: any NetworkInterface) -> BaseResource {
        BaseResource("https://api.test/v1", networkInterface: interface, secretNames: Self.names)
    }

    /// What a value prints in every way.
    private func printed(_ value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        if let error = value as? any Error {
            let error = error as NSError
            text += "\(error)\n\(error.localizedDescription)\n\(error.userInfo)\n"
        }
        return text
    }

    @Test("of any place is in no description, summary, curl command or explanation", arguments: SecretPlace.all)
    func descriptions(place: SecretPlace) async throws {
        let secret = place.secret
        let resource = place.request(base(Swifty(transport: StubTransport())), secret)
        expect(secret, isNotIn: printed(resource) + printed(resource.draft), "description", at: place)
        expect(secret, isNotIn: printed(resource.draft.summary), "summary", at: place)
        expect(secret, isNotIn: resource.cURLDescription, "curl command", at: place)
        expect(secret, isNotIn: printed(try await resource.explain()), "explanation", at: place)
        let command = resource.cURLDescription(includingSecrets: true)
        #expect(SecretSearch.spelling(of: secret, in: command) != nil, "\(place): \(command)")
    }

    @Test("of any place is in no request, error, NSError, metric or line of a log", arguments: SecretPlace.all)
    func errors(place: SecretPlace) async throws {
        let secret = place.secret
        let transcript = Transcript()
        for status in [200, 400, 302] {
            let stub = StubTransport(status: status, headers: [.location: "/v1/b?token=\(secret)"])
            let swifty = Swifty(transport: stub) {
                $0.retry = .none
                $0.redirects = RedirectPolicy(maximumCount: 2)
                $0.use(transcript)
                $0.logger = Logger(label: "test") { _ in TranscriptLog(transcript) }
            }
            let draft = place.request(base(swifty), secret).draft
            let response = await swifty.load(draft, cancellation: LoadCancellation())
            expect(secret, isNotIn: printed(response), "response", at: place)
            expect(secret, isNotIn: printed(response.request as Any), "request", at: place)
            expect(secret, isNotIn: printed(response.metrics), "metrics", at: place)
            expect(secret, isNotIn: printed(response.error as Any), "error", at: place)
        }
        let failing = StubTransport { request in
            throw SwiftyError(.connectionLost, stage: .head, reason: "the server said \(request.target.string)")
        }
        let swifty = Swifty(transport: failing) {
            $0.retry = .none
            $0.logger = Logger(label: "test") { _ in TranscriptLog(transcript) }
        }
        let error = await #expect(throws: SwiftyError.self) {
            _ = try await place.request(base(swifty), secret).load()
        }
        expect(secret, isNotIn: printed(error as Any), "error that repeats the URL", at: place)
        // The lines of five requests, their responses, and the outcomes of four loads.
        #expect(transcript.logLineCount == 13)
        #expect(transcript.places(of: secret) == [], "\(place)")
    }

    @Test("of any place is in no cassette and no exported mock, and that is replayed", arguments: SecretPlace.all)
    func files(place: SecretPlace) async throws {
        let secret = place.secret
        let folder = try TemporaryFolder()
        // A server that repeats everything.
        let swifty = Swifty(
            transport: StubTransport { request in
                var fields = request.headers
                fields[.location] = request.target.string
                fields[.contentLength] = nil
                let head = ResponseHead(statusCode: 200, headers: fields)
                return TransportResponse(head: head, content: request.content.data ?? Data())
            }
        )
        let path = folder.path("c.har")
        try await withCassette(folder.path("c")) { try await place.request(base(swifty), secret).load() }
        let cassette = try String(contentsOfFile: path, encoding: .utf8)
        expect(secret, isNotIn: cassette, "cassette", at: place)
        try await withCassette(folder.path("c"), mode: .none) {
            let response = try await place.request(base(swifty), secret).load()
            #expect(response.statusCode == 200)
            try response.exportMock(to: folder.path("one.response.json"))
        }
        let names = try Cassette(contentsOf: path).exportMocks(to: folder.path("Mocks"))
        let files = try names.map { try String(contentsOfFile: folder.path("Mocks/\($0)"), encoding: .utf8) }
        expect(secret, isNotIn: (names + files).joined(separator: "\n"), "exported mocks", at: place)
        let response = try await place.request(base(swifty), secret).load()
        try response.exportMock(to: folder.path("own.response.json"))
        let own = try String(contentsOfFile: folder.path("own.response.json"), encoding: .utf8)
        expect(secret, isNotIn: own, "exported mock of a response", at: place)
    }

    @Test("has enough places, and each has its own")
    func table() {
        #expect(SecretPlace.all.count >= 60)
        #expect(Set(SecretPlace.all.map(\.secret)).count == SecretPlace.all.count)
    }

    /// All strings of a JSON value.
    private func strings(in value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let members as [String: Any]: members.values.flatMap(strings)
        case let elements as [Any]: elements.flatMap(strings)
        default: []
        }
    }

    /// Not everything is hidden: what must be seen in descriptions, or else in the curl command and the cassette.
    @Test("is nothing that has only a name or a form like one", arguments: PlainPlace.all)
    func plain(place: PlainPlace) async throws {
        let folder = try TemporaryFolder()
        let swifty = Swifty(transport: StubTransport(status: 200))
        let resource = place.request(base(swifty))
        let command = resource.cURLDescription.replacing("'\\''", with: "'")
        #expect(place.values.filter { !command.contains($0) } == [], "\(command)")
        if place.isInURL { #expect(place.values.filter { !"\(resource)".contains($0) } == [], "\(resource)") }
        try await withCassette(folder.path("c")) { try await resource.load() }
        let file = try JSONSerialization.jsonObject(with: folder.data("c.har"))
        let stored = strings(in: file).joined(separator: "\n")
        #expect(place.values.filter { !stored.contains($0) } == [], "\(stored)")
    }
}
