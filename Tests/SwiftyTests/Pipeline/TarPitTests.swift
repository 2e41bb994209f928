// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

/// Hooks, contents and servers that never finish, at every stage of a load, and every event that can end a load.
@Suite("A load that is stuck", .timeLimit(.minutes(15)))
struct TarPitTests {
    /// The place where the load is stuck.
    enum Stage: CaseIterable {
        case constraint, asyncConstraint, requestInterceptor, contentStream, admission, answer,
            sharedAnswer,
            redirectDecision, challenge, retryDecision, responseInterceptor

        var errorStage: SwiftyError.Stage {
            switch self {
            case .constraint, .asyncConstraint: .constraint
            case .requestInterceptor: .requestInterceptor
            case .contentStream: .send
            case .admission: .queue
            case .answer, .sharedAnswer: .firstByte
            case .redirectDecision, .challenge, .retryDecision: .validation
            case .responseInterceptor: .responseInterceptor
            }
        }

        /// Whether the limit of an attempt covers the stage.
        var isOfAttempt: Bool {
            switch self {
            case .requestInterceptor, .contentStream, .answer, .sharedAnswer, .redirectDecision, .challenge:
                true
            default: false
            }
        }

        var sent: SwiftyError.SentState {
            switch self {
            case .redirectDecision, .challenge, .retryDecision, .responseInterceptor: .responded
            case .contentStream, .answer, .sharedAnswer: .maybeSent
            default: .notSent
            }
        }
    }

    /// The event that ends the load.
    enum End: CaseIterable {
        case total, attempt, task, tag, shutdown, gracefulShutdown

        var code: SwiftyError.Code {
            switch self {
            case .total, .attempt: .timedOut
            case .task, .tag: .cancelled
            case .shutdown, .gracefulShutdown: .shutdown
            }
        }
    }

    /// Holds its callers until `exit` opens, even if their tasks are cancelled.
    private final class Pit: AuthenticationChallenge.Handler {
        let entered = Gate()
        let exit = Gate()
        private let state = Mutex(0)

        var inside: Int { state.withLock { $0 } }

        func hold() async {
            state.withLock { $0 += 1 }
            entered.open()
            await exit.wait()
            state.withLock { $0 -= 1 }
        }

        func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
            await hold()
            return .default
        }
    }

    private final class StuckConstraint: AsyncConstraint {
        let pit: Pit

        init(_ pit: Pit) {
            self.pit = pit
        }

        var timeout: Duration { .seconds(900) }
        func isSatisfied(for resource: NetworkResource) async -> Bool { false }
        func satisfy(for resource: NetworkResource) async throws { await pit.hold() }
    }

    private static let long = Duration.seconds(600)

    /// A load that gets stuck, with its server and its `Swifty`.
    private struct Scene {
        let pit = Pit()
        let server: ScriptedServer
        let swifty: Swifty
        private(set) var resource: NetworkResource

        init(_ stage: Stage, _ limits: NetworkRequest.Timeouts, _ clock: any Clock<Duration>) throws {
            let pit = pit
            server = try ScriptedServer { connection in
                switch stage {
                case .answer, .sharedAnswer: [.readRequest, .stall]
                case .redirectDecision: [.readRequest, .respond(302, [("Location", "/next")]), .stall]
                case .challenge: [.readRequest, .respond(401, [("WWW-Authenticate", "Basic realm=r")]), .stall]
                case .retryDecision: [.readRequest, .respond(503), .stall]
                default: [.readRequest, .respond(200), .stall]
                }
            }
            var configuration = Swifty.Configuration()
            configuration.timeouts = limits
            configuration.coalesces = stage == .sharedAnswer
            configuration.clock = clock
            var constraints: [any Swifty.Hook] = []
            var requestInterceptors: [any RequestInterceptor] = []
            var responseInterceptors: [any ResponseInterceptor] = []
            switch stage {
            case .constraint: constraints = [TestConstraint { _ in pit.entered.open() }]
            case .asyncConstraint: constraints = [StuckConstraint(pit)]
            case .requestInterceptor:
                requestInterceptors = [
                    RequestHook {
                        await pit.hold()
                        return $0
                    }
                ]
            case .responseInterceptor:
                responseInterceptors = [
                    ResponseHook {
                        await pit.hold()
                        return $0
                    }
                ]
            case .challenge: configuration.use(pit)
            case .retryDecision:
                configuration.retry = RetryPolicy { _ in
                    await pit.hold()
                    return .stop
                }
            case .redirectDecision:
                configuration.redirects.decide = { _ in
                    await pit.hold()
                    return .follow
                }
            default: break
            }
            swifty = Swifty {
                $0 = configuration
                $0.use(constraints)
                $0.use(requestInterceptors)
                $0.use(responseInterceptors)
            }
            let base = BaseResource(server.url, networkInterface: swifty)
            switch stage {
            case .contentStream:
                resource = base.post("x").stream {
                    await pit.hold()
                    return AsyncStream<Data> { $0.finish() }
                }
            default: resource = base.get("x")
            }
            resource = resource.tag("stuck")
            if stage == .admission { swifty.pause() }
        }
    }

    private static let cases = Stage.allCases.flatMap { stage in
        End.allCases.filter { $0 != .attempt || stage.isOfAttempt }.map { (stage, $0) }
    }

    @Test("is ended by every event that ends loads, wherever it is stuck", arguments: cases)
    func end(_ stage: Stage, _ end: End) async throws {
        // A transport measures time by the real clock. At the other stages, the test's clock stands still until the
        // load is stuck.
        let isOnTheWire = [.contentStream, .answer, .sharedAnswer].contains(stage)
        let limit: Duration = isOnTheWire ? .seconds(1) : Self.long
        let limits =
            switch end {
            case .total: NetworkRequest.Timeouts(total: limit)
            case .attempt: NetworkRequest.Timeouts(attempt: limit)
            default: NetworkRequest.Timeouts()
            }
        let clock = TestClock()
        let scene = try Scene(stage, limits, isOnTheWire ? ContinuousClock() : clock)
        let task = Task { try await scene.resource.load() }
        let isTimed = end == .total || end == .attempt
        if !isTimed || !isOnTheWire { try await waitUntilStuck(scene, stage) }
        switch end {
        case .total, .attempt: await clock.advance(by: limit)
        case .task: task.cancel()
        case .tag: scene.swifty.cancelLoads(withTag: "stuck")
        case .shutdown: await scene.swifty.shutdown()
        case .gracefulShutdown: await shutDownGracefully(scene.swifty, clock)
        }
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == end.code, "\(String(describing: error))")
        if !isTimed || !isOnTheWire {
            #expect(error?.stage == stage.errorStage, "\(String(describing: error))")
            #expect(error?.sent == stage.sent, "\(String(describing: error))")
        }
        if isTimed { #expect(error?.reason.contains("\(limit)") == true, "\(String(describing: error))") }
        try await expectRelease(scene, stage)
    }

    private func shutDownGracefully(_ swifty: Swifty, _ clock: TestClock) async {
        async let end: Void = swifty.shutdown(graceful: .seconds(1))
        while swifty.statistics.inFlight > 0 {
            await clock.advance(by: .seconds(1))
            await Task.yield()
        }
        await end
    }

    private func waitUntilStuck(_ scene: Scene, _ stage: Stage) async throws {
        switch stage {
        case .admission: try await until { scene.swifty.admissionStatistics.waiting == 1 }
        case .answer, .sharedAnswer: try await until { scene.server.log.requests.count == 1 }
        default: try await until { scene.pit.entered.isOpen }
        }
    }

    /// Abandoned hooks are counted until they end.
    private func expectRelease(_ scene: Scene, _ stage: Stage) async throws {
        let isHook = [
            .requestInterceptor, .redirectDecision, .challenge, .retryDecision, .responseInterceptor,
        ]
        .contains(stage)
        if isHook {
            #expect(scene.pit.inside == 1)
            #expect(scene.swifty.statistics.hooksLeftBehind == 1)
        }
        #expect(scene.swifty.statistics.inFlight == 0)
        scene.pit.exit.open()
        if isHook { try await until { scene.swifty.statistics.hooksLeftBehind == 0 } }
    }

    @Test("at the end of its attempt is tried again, within the time of the call")
    func attempts() async throws {
        let swifty = Swifty { $0.retry = RetryPolicy(backoff: .none) }
        let response = try await withGrowing([.seconds(4), .seconds(30)]) { limit in
            let server = try ScriptedServer { connection in
                connection < 2 ? [.readRequest, .stall] : [.readRequest, .respond(200, content: "third")]
            }
            let resource = BaseResource(server.url, networkInterface: swifty).get("x")
            return try await resource.timeout(total: Self.long, attempt: limit).load()
        }
        #expect(response.string == "third")
        #expect(response.metrics.attempts.map(\.errorCode) == [.timedOut, .timedOut, nil])
        let all = await #expect(throws: SwiftyError.self) {
            let stuck = try ScriptedServer([.readRequest, .stall])
            let resource = BaseResource(stuck.url, networkInterface: swifty).get("x")
            _ = try await resource.timeout(total: .seconds(5), attempt: .seconds(2)).load()
        }
        #expect(all?.code == .timedOut)
        #expect(all.map { $0.attempts.count <= 3 } == true)
        #expect(
            all?.reason.contains("5.0 seconds, the limit that Timeouts.total sets") == true,
            "\(String(describing: all))"
        )
    }

    @Test("does not count the wait for admission towards the limit of its attempt")
    func admissionWithinAttempt() async throws {
        let server = try ScriptedServer([.readRequest, .pause(.milliseconds(100)), .respond(200, content: "ok")])
        let clock = TestClock()
        let swifty = Swifty { $0.clock = clock }
        swifty.pause()
        let resource = BaseResource(server.url, networkInterface: swifty).get("x").timeout(attempt: Self.long)
        async let response = resource.load()
        try await until { swifty.admissionStatistics.waiting == 1 }
        await clock.advance(by: Self.long * 2)
        swifty.resume()
        #expect(try await response.string == "ok")
    }

    @Test("follows no redirect and answers no challenge after its time limit", arguments: [302, 401])
    func hops(status: Int) async throws {
        let clock = TestClock()
        let stub = StubTransport { request in
            // The response to the first request comes after the end of the load's time.
            if request.target.path == "/0" { await clock.advance(by: Self.long) }
            let number = Int(request.target.path.dropFirst()) ?? 0
            return TransportResponse(
                head: ResponseHead(
                    statusCode: status,
                    headers: [.location: "/\(number + 1)", .wwwAuthenticate: "Basic realm=r"]
                ),
                content: Data()
            )
        }
        let credentials = CredentialStore()
        try credentials.set(.basic(user: "a", password: "b"), for: "https://api.example.com")
        var configuration = Swifty.Configuration()
        configuration.credentials = credentials
        configuration.clock = clock
        let swifty = Swifty(configuration: configuration, transport: stub)
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("0").timeout(total: Self.long).load()
        }
        #expect(error?.code == .timedOut)
        #expect(stub.requests.count == 1)
    }

    @Test("that its transport ended at the end of its time keeps that error, and its retry policy is not asked")
    func retryDecisionAfterEnd() async throws {
        let (clock, asked) = (TestClock(), Counter())
        let stub = StubTransport { _ throws(SwiftyError) in
            await clock.advance(by: Self.long)
            throw SwiftyError(.timedOut, stage: .firstByte, sent: .maybeSent)
        }
        let policy = RetryPolicy { _ in
            asked.increment()
            return .stop
        }
        let swifty = Swifty(transport: stub) {
            $0.retry = policy
            $0.clock = clock
        }
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").timeout(total: Self.long).load()
        }
        #expect(error?.code == .timedOut)
        #expect(error?.stage == .firstByte)
        #expect(error?.sent == .maybeSent)
        #expect(asked.value == 0)
    }

    @Test("is reported once if a hook takes long, with the hook's name")
    func slowHook() async throws {
        let recorder = EventNames()
        let (clock, gate) = (TestClock(), Gate())
        let swifty = Swifty(transport: StubTransport()) {
            $0.clock = clock
            $0.use(recorder)
            $0.hookPatience = .milliseconds(20)
            $0.use(
                RequestHook { $0 },
                RequestHook {
                    await gate.wait()
                    return $0
                },
            )
        }
        let task = Task { try await swifty.api.get("x").load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(20))
        try await until { recorder.all.count == 1 }
        // A second report would come in this time.
        await clock.advance(by: .seconds(3_600))
        #expect(clock.sleeperCount == 0)
        gate.open()
        _ = try await task.value
        #expect(recorder.all == ["RequestHook"])
    }

    @Test("after its end has a little time for its response interceptors, which see how it ended")
    func lateInterceptors() async throws {
        let seen = Counter()
        let swifty = Swifty(
            responseInterceptors: [
                ResponseHook { response in
                    if response.error?.code == .timedOut { seen.increment() }
                    return response
                },
                ResponseHook { response in
                    await Gate().wait()
                    return response
                },
            ]
        )
        let server = try ScriptedServer([.readRequest, .stall])
        let resource = BaseResource(server.url, networkInterface: swifty).get("x").timeout(.milliseconds(100))
        // On a busy machine, the interceptors may not even begin within this time, which is a second.
        for _ in 0..<20 where seen.value == 0 {
            let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
            #expect(error?.code == .timedOut)
            #expect(error?.stage != .responseInterceptor)
        }
        #expect(seen.value == 1)
    }
}

extension EventNames {
    /// The names of slow hooks.
    fileprivate convenience init() {
        self.init { event, _ in
            if case .hookIsSlow(let name) = event { name } else { nil }
        }
    }
}
