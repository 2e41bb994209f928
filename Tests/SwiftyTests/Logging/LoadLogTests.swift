// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The log of a load", .timeLimit(.minutes(15)))
struct LoggingTests {
    /// An entry of the log handler.
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            lines.add(Line(level: event.level, message: "\(event.message)", metadata: metadata))
        }
    }

    private final class Lines: Sendable {
        private let state = Recording<Line>()
        var all: [Line] { state.values }

        func add(_ line: Line) {
            state.append(line)
        }

        func logger(_ level: Logger.Level) -> Logger {
            Logger(label: "test") { _ in Handler(lines: self, logLevel: level) }
        }
    }

    private static let base = "https://api.example.com"

    /// Loads once, and returns the lines that were logged at `trace` and above.
    private func lines(
        _ transport: StubTransport,
        configuration: Swifty.Configuration = .init(),
        constraints: [Constraint] = [],
        _ change: (NetworkResource) -> NetworkResource = { $0 }
    ) async -> [Line] {
        let lines = Lines()
        var configuration = configuration
        configuration.logger = lines.logger(.trace)
        let swifty = Swifty(transport: transport) {
            $0 = configuration
            $0.use(constraints)
        }
        _ = try? await change(swifty.api.get("x").query(["token": "canary"])).load()
        return lines.all
    }

    /// Responds with the statuses in turn, and then always with the last one.
    private func stub(_ statuses: Int..., headers: HTTPFields = [:]) -> StubTransport {
        let count = Counter()
        return StubTransport { request in
            let status = statuses[min(count.increment(), statuses.count) - 1]
            var headers = headers
            if 300..<400 ~= status { headers[.location] = "\(Self.base)/y?token=canary" }
            return TransportResponse(head: ResponseHead(statusCode: status, headers: headers), content: Data())
        }
    }

    /// Expects exactly one line for each load, when it has ended: at `info` with an error, otherwise at `debug`.
    private func check(
        _ lines: [Line],
        _ message: String,
        status: Int?,
        attempts: Int,
        error: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lines.map(\.level) == [error == nil ? .debug : .info], "\(lines)", sourceLocation: sourceLocation)
        guard let line = lines.first else { return }
        let resource = "GET \(Self.base)/x?token=REDACTED"
        #expect(line.message == "\(resource) \(message)", sourceLocation: sourceLocation)
        var metadata = line.metadata
        #expect(metadata.removeValue(forKey: "swifty.total").flatMap(Double.init) != nil)
        var expected = [
            "http.request.method": "GET", "server.address": "api.example.com", "swifty.attempts": "\(attempts)",
            "url.template": "x",
        ]
        expected["http.response.status_code"] = status.map { "\($0)" }
        expected["error.type"] = error
        #expect(metadata == expected, sourceLocation: sourceLocation)
    }

    @Test("is one line at debug with the request, the status and the number of attempts")
    func success() async {
        check(await lines(stub(200)), "succeeded", status: 200, attempts: 1)
        check(await lines(stub(200)) { $0.mock(data: Data("m".utf8)) }, "succeeded", status: 200, attempts: 0)
    }

    @Test("is one line, however often the load is retried, redirected or challenged")
    func several() async throws {
        var retrying = Swifty.Configuration()
        retrying.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        check(await lines(stub(503, 503, 200), configuration: retrying), "succeeded", status: 200, attempts: 3)
        check(await lines(stub(302, 200)), "succeeded", status: 200, attempts: 1)
        let store = CredentialStore()
        try store.set(.basic(user: "ada", password: "canary"), for: Self.base)
        let challenge: HTTPFields = [.wwwAuthenticate: #"Basic realm="r""#]
        var signedIn = Swifty.Configuration()
        signedIn.credentials = store
        let asked = stub(401, 200, headers: challenge)
        check(await lines(asked, configuration: signedIn), "succeeded", status: 200, attempts: 1)
        #expect(asked.requests.count == 2)
        // If the server refuses a credential, its response is the caller's.
        let refused = stub(401, headers: challenge)
        let words = "failed (unacceptableStatus, validation): the server answered 401"
        check(
            await lines(refused, configuration: signedIn),
            words,
            status: 401,
            attempts: 1,
            error: "unacceptableStatus"
        )
        #expect(refused.requests.count == 2)
    }

    @Test("of a failure is the error's description, with the status of the response, if any")
    func failures() async throws {
        let start = "failed (unacceptableStatus, validation): the server answered "
        let code = "unacceptableStatus"
        check(await lines(stub(404)), start + "404", status: 404, attempts: 1, error: code)
        var retrying = Swifty.Configuration()
        retrying.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        check(await lines(stub(503), configuration: retrying), start + "503", status: 503, attempts: 2, error: code)
        let lost = StubTransport { _ in throw SwiftyError(.connectionLost, stage: .content, reason: "cut") }
        check(
            await lines(lost),
            "failed (connectionLost, content): cut",
            status: nil,
            attempts: 1,
            error: "connectionLost"
        )
        let constraint = TestConstraint { $0.finish(with: SwiftyError(.init(rawValue: "mine"), stage: .queue)) }
        let held = await lines(stub(200), constraints: [constraint])
        try #require(held.count == 1)
        #expect(held[0].message.contains("failed (constraintFailed, constraint)"))
        #expect(held.first?.metadata["swifty.attempts"] == "0")
        let wrong = await lines(stub(200)) { $0.header("X", "canary\r\n\u{0}") }
        try #require(wrong.count == 1)
        #expect(wrong[0].message.contains("failed (invalidHeader, building)"))
        for line in held + wrong {
            #expect(line.level == .info)
            #expect(!"\(line)".contains("canary"))
        }
    }

    @Test("is silent above info, and of successes and cancellations above debug")
    func levels() async throws {
        for level in [Logger.Level.info, .notice, .warning, .error, .critical] {
            let lines = Lines()
            let swifty = Swifty(transport: stub(500)) { $0.logger = lines.logger(level) }
            _ = try? await swifty.api.get("x").load()
            #expect(lines.all.count == (level == .info ? 1 : 0), "\(level)")
            let other = Swifty(transport: stub(200)) { $0.logger = lines.logger(level) }
            _ = try await other.api.get("x").load()
            let cancelled = StubTransport { _ in throw SwiftyError(.cancelled, stage: .content, reason: "enough") }
            _ = try? await Swifty(transport: cancelled) { $0.logger = lines.logger(level) }.api.get("x").load()
            #expect(lines.all.count == (level == .info ? 1 : 0), "\(level)")
        }
        let lines = Lines()
        let swifty = Swifty(transport: stub(200)) { $0.logger = lines.logger(.debug) }
        for _ in 0..<10 { _ = try await swifty.api.get("x").load() }
        #expect(lines.all.count == 10)
    }
}
