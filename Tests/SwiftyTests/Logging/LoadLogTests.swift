// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("The log of a load", .timeLimit(.minutes(15)))
struct LoadLogTests {
    private static let base = "https://api.example.com"

    /// Loads once, and returns the lines about outcomes that were logged at `trace` and above.
    private func lines(
        _ transport: StubTransport,
        configuration: Swifty.Configuration = .init(),
        constraints: [Constraint] = [],
        _ change: (NetworkResource) -> NetworkResource = { $0 }
    ) async -> [LogLines.Line] {
        let lines = LogLines()
        var configuration = configuration
        configuration.logger = lines.logger(.trace)
        let swifty = Swifty(transport: transport) {
            $0 = configuration
            $0.use(constraints)
        }
        _ = try? await change(swifty.api.get("x").query(["token": "canary"])).load()
        return lines.outcomes
    }

    /// Expects exactly one line about the outcome of each load: at `warning` with an error, otherwise at `debug`.
    private func check(
        _ lines: [LogLines.Line],
        _ message: String,
        status: Int?,
        attempts: Int,
        error: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(lines.map(\.level) == [error == nil ? .debug : .warning], "\(lines)", sourceLocation: sourceLocation)
        guard let line = lines.first else { return }
        let resource = "GET \(Self.base)/x?token=REDACTED"
        #expect(line.message == "\(resource) \(message)", sourceLocation: sourceLocation)
        var metadata = line.metadata
        #expect(metadata.removeValue(forKey: "swifty.total").flatMap(Double.init) != nil)
        var expected = [
            "http.request.method": "GET", "server.address": "api.example.com", "server.port": "443",
            "swifty.attempts": "\(attempts)", "url.template": "x",
        ]
        expected["http.response.status_code"] = status.map { "\($0)" }
        expected["error.type"] = error
        #expect(metadata == expected, sourceLocation: sourceLocation)
    }

    @Test("is one line at debug with the request, the status and the number of attempts")
    func success() async {
        check(await lines(statusStub(200)), "succeeded", status: 200, attempts: 1)
        check(await lines(statusStub(200)) { $0.mock(data: Data("m".utf8)) }, "succeeded", status: 200, attempts: 0)
    }

    @Test("is one line, however often the load is retried, redirected or challenged")
    func several() async throws {
        var retrying = Swifty.Configuration()
        retrying.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        check(await lines(statusStub(503, 503, 200), configuration: retrying), "succeeded", status: 200, attempts: 3)
        check(await lines(statusStub(302, 200)), "succeeded", status: 200, attempts: 1)
        let store = CredentialStore()
        try store.set(.basic(user: "ada", password: "canary"), for: Self.base)
        let challenge: HTTPFields = [.wwwAuthenticate: #"Basic realm="r""#]
        var signedIn = Swifty.Configuration()
        signedIn.credentials = store
        let asked = statusStub(401, 200, headers: challenge)
        check(await lines(asked, configuration: signedIn), "succeeded", status: 200, attempts: 1)
        #expect(asked.requests.count == 2)
        // If the server refuses a credential, its response is the caller's.
        let refused = statusStub(401, headers: challenge)
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
        check(await lines(statusStub(404)), start + "404", status: 404, attempts: 1, error: code)
        var retrying = Swifty.Configuration()
        retrying.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        check(
            await lines(statusStub(503), configuration: retrying),
            start + "503",
            status: 503,
            attempts: 2,
            error: code
        )
        let lost = StubTransport { _ in throw SwiftyError(.connectionLost, stage: .content, reason: "cut") }
        check(
            await lines(lost),
            "failed (connectionLost, content): cut",
            status: nil,
            attempts: 1,
            error: "connectionLost"
        )
        let constraint = TestConstraint { $0.finish(with: SwiftyError(.init(rawValue: "mine"), stage: .queue)) }
        let held = await lines(statusStub(200), constraints: [constraint])
        try #require(held.count == 1)
        #expect(held[0].message.contains("failed (constraintFailed, constraint)"))
        #expect(held.first?.metadata["swifty.attempts"] == "0")
        let wrong = await lines(statusStub(200)) { $0.header("X", "canary\r\n\u{0}") }
        try #require(wrong.count == 1)
        #expect(wrong[0].message.contains("failed (invalidHeader, building)"))
        for line in held + wrong {
            #expect(line.level == .warning)
            #expect(!"\(line)".contains("canary"))
        }
    }

    @Test("is silent above warning, and of successes and cancellations above debug")
    func levels() async throws {
        for level in [Logger.Level.info, .notice, .warning, .error, .critical] {
            let lines = LogLines()
            let swifty = Swifty(transport: statusStub(500)) { $0.logger = lines.logger(level) }
            _ = try? await swifty.api.get("x").load()
            #expect(lines.all.count == ([.info, .notice, .warning].contains(level) ? 1 : 0), "\(level)")
            let other = Swifty(transport: statusStub(200)) { $0.logger = lines.logger(level) }
            _ = try await other.api.get("x").load()
            let cancelled = StubTransport { _ in throw SwiftyError(.cancelled, stage: .content, reason: "enough") }
            _ = try? await Swifty(transport: cancelled) { $0.logger = lines.logger(level) }.api.get("x").load()
            #expect(lines.all.count == ([.info, .notice, .warning].contains(level) ? 1 : 0), "\(level)")
        }
        let lines = LogLines()
        let swifty = Swifty(transport: statusStub(200)) { $0.logger = lines.logger(.debug) }
        for _ in 0..<10 { _ = try await swifty.api.get("x").load() }
        #expect(lines.all.count == 10)
    }
}

@Suite("The log of what happens in a load", .timeLimit(.minutes(15)))
struct LoadProgressLogTests {
    private let lines = LogLines()

    private func load(
        _ transport: any Transport,
        level: Logger.Level = .info,
        configure: (inout Swifty.Configuration) -> Void = { _ in },
        change: (NetworkResource) -> NetworkResource = { $0 }
    ) async {
        let swifty = Swifty(transport: transport) {
            $0.logger = lines.logger(level)
            configure(&$0)
        }
        _ = try? await change(swifty.api.get("x").query(["token": "canary"])).load()
    }

    @Test("says at info that a request will be sent again, after what, and when")
    func retry() async throws {
        await load(statusStub(503, 200)) { $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none) }
        let line = try #require(lines.others.first)
        #expect(line.level == .info)
        #expect(
            line.message == "GET https://api.example.com/x?token=REDACTED will be sent again, after the status 503"
        )
        #expect(line.metadata["http.response.status_code"] == "503")
        #expect(line.metadata["swifty.retry_delay"] == "0.0")
        #expect(line.metadata["swifty.attempt"] == "1")
        #expect(lines.others.count == 1)
        let lost = StubTransport { _ in throw SwiftyError(.connectionLost, stage: .content, reason: "cut") }
        await load(lost) { $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none) }
        #expect(lines.others.last?.message.hasSuffix("after connectionLost") == true)
        #expect(lines.others.last?.metadata["error.type"] == "connectionLost")
    }

    @Test("says at notice that a constraint or a hook holds a load for long, once")
    func slowness() async throws {
        let clock = TestClock()
        let constraint = TestConstraint { _ in }
        let swifty = Swifty(transport: statusStub(200)) {
            $0.logger = lines.logger(.info)
            $0.clock = clock
            $0.use(constraint)
        }
        let load = Task { try await swifty.api.get("x").load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(11))
        try await until { lines.all.count == 1 }
        await clock.advance(by: .seconds(60))
        #expect(lines.all.map(\.level) == [.notice])
        #expect(lines.all[0].message.contains("still waits for"))
        constraint.finish()
        _ = try await load.value
        #expect(lines.all.count == 1)
    }

    @Test("says at notice that a circuit breaker opens, lets probes pass, and closes")
    func circuit() async throws {
        let clock = TestClock()
        let swifty = Swifty(transport: statusStub(500, 500, 200)) {
            $0.logger = lines.logger(.notice)
            $0.logging.failureLevel = .debug
            $0.clock = clock
            $0.name = "stock"
            $0.admission.circuitBreaker = .init(failures: 2, openDuration: .seconds(30))
        }
        for _ in 0..<4 { _ = try? await swifty.api.get("x").load() }
        #expect(swifty.admissionStatistics.hosts["https://api.example.com"]?.circuit == .open)
        await clock.advance(by: .seconds(31))
        _ = try await swifty.api.get("x").load()
        #expect(lines.all.map(\.level) == [.notice, .notice, .notice])
        #expect(lines.all.map { $0.metadata["swifty.circuit"] } == ["open", "halfOpen", "closed"])
        #expect(lines.all.allSatisfy { $0.metadata["swifty.origin"] == "https://api.example.com" })
        #expect(lines.all.allSatisfy { $0.metadata["swifty.instance"] == "stock" })
    }

    @Test("does not say that a breaker closes when its instance ends, which observers learn once")
    func endOfCircuit() async throws {
        final class Observer: Swifty.StateObserver {
            let states = Recording<AdmissionPolicy.CircuitBreaker.State>()

            func observe(_ change: Swifty.StateChange, of instance: Swifty.ObservedInstance) {
                if case .circuit(let state, _) = change { states.append(state) }
            }
        }
        let observer = Observer()
        var swifty: Swifty? = Swifty(transport: statusStub(500)) {
            $0.logger = lines.logger(.notice)
            $0.logging.failureLevel = .debug
            $0.admission.circuitBreaker = .init(failures: 1)
            $0.use(observer)
        }
        _ = try? await swifty?.api.get("x").load()
        for _ in 0..<2 { await swifty?.shutdown() }
        swifty = nil
        #expect(lines.all.map { $0.metadata["swifty.circuit"] } == ["open"])
        #expect(observer.states.values == [.open, .closed])
    }

    @Test("has requests and responses at trace, with their fields and without secrets")
    func wire() async throws {
        let stub = statusStub(302, 200, headers: [.setCookie: "session=canary", .server: "s/1"])
        await load(
            stub,
            level: .trace,
            change: { resource in
                resource.header(.authorization, "Bearer canary").header(.accept, "text/plain")
            }
        )
        let wire = lines.all.filter { $0.level == .trace }
        #expect(wire.count == 4)
        #expect(wire[0].metadata["http.request.header.accept"] == "[\"text/plain\"]")
        #expect(wire[0].metadata["http.request.header.authorization"] == "[\"REDACTED\"]")
        #expect(wire[1].metadata["http.response.status_code"] == "302")
        #expect(wire[1].metadata["http.response.header.server"] == "[\"s/1\"]")
        #expect(wire[1].metadata["network.protocol.version"] == "1.1")
        #expect(wire[2].message.contains("https://api.example.com/y?token=REDACTED"))
        for line in lines.all { #expect(!"\(line)".contains("canary")) }
    }

    @Test("has the level that the policy decides for an error")
    func decision() async {
        await load(statusStub(404), level: .trace) { $0.logging.decide = { $0.statusCode == 404 ? .debug : nil } }
        await load(statusStub(500), level: .trace) { $0.logging.decide = { $0.statusCode == 404 ? .debug : nil } }
        #expect(lines.outcomes.map(\.level) == [.debug, .warning])
    }

    @Test("goes to the logger of the request, else of the task if the policy says so, else of the Swifty")
    func loggers() async throws {
        let (own, current) = (LogLines(), LogLines())
        var logger = current.logger(.debug)
        logger[metadataKey: "request.id"] = "7"
        let task = logger
        for usesCurrent in [true, false] {
            let swifty = Swifty(transport: statusStub(200)) {
                $0.logger = lines.logger(.debug)
                $0.logging.usesCurrentLogger = usesCurrent
            }
            try await withLogger(task) { _ in
                _ = try await swifty.api.get("x").load()
                _ = try await swifty.api.get("x").logger(own.logger(.debug)).load()
            }
        }
        #expect(own.all.count == 2)
        #expect(current.all.count == 1)
        #expect(lines.all.count == 1)
        // What the program has put into its logger is in the lines.
        #expect(current.all[0].metadata["request.id"] == "7")
        // A task without a logger, such as that of a timer.
        let swifty = Swifty(transport: statusStub(200)) {
            $0.logger = lines.logger(.debug)
            $0.logging.usesCurrentLogger = true
        }
        _ = try await swifty.api.get("x").load()
        #expect(lines.all.count == 2)
    }

    @Test("of a request's own logger does not need one of the Swifty")
    func requestAlone() async throws {
        let swifty = Swifty(transport: statusStub(200))
        _ = try await swifty.api.get("x").logger(lines.logger(.debug)).load()
        _ = try await swifty.api.get("x").load()
        #expect(lines.all.count == 1)
    }
}
