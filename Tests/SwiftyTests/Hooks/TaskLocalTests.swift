// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

private enum Trace {
    @TaskLocal static var id: String?
}

/// The hooks that ran, and what they saw.
private final class Sightings: Sendable {
    private let state = Mutex<[String: Set<String?>]>([:])

    func note(_ hook: String) {
        state.withLock { _ = $0[hook, default: []].insert(Trace.id) }
    }

    /// The hooks that have seen the value always, and those that have never seen it.
    func hooks(seeing value: String?) -> Set<String> {
        Set(state.withLock { $0.filter { $0.value == [value] }.keys })
    }
}

private final class NotingConstraint: Constraint, @unchecked Sendable {
    let sightings: Sightings

    init(_ sightings: Sightings) {
        self.sightings = sightings
    }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        sightings.note("isKnownSatisfied")
        return false
    }

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        sightings.note("isConstraintSatisfied")
        return false
    }

    override func satisfyConstraint(for resource: NetworkResource) {
        sightings.note("satisfyConstraint")
        finish()
    }

    override func invalidate(after response: NetworkResponse) -> Bool {
        sightings.note("invalidate")
        return false
    }
}

private final class NotingAsyncConstraint: AsyncConstraint {
    let sightings: Sightings

    init(_ sightings: Sightings) {
        self.sightings = sightings
    }

    func isSatisfied(for resource: NetworkResource) async -> Bool {
        sightings.note("isSatisfied")
        return false
    }

    func satisfy(for resource: NetworkResource) async {
        sightings.note("satisfy")
    }
}

private struct NotingHandler: AuthenticationChallenge.Handler {
    let sightings: Sightings

    func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
        sightings.note("challengeHandler")
        return .default
    }
}

/// The questions that a constraint was asked, and the flights that it has begun. A flight stays in the air until
/// ``land()``.
private final class QuestionRecord: Sendable {
    private struct State {
        var questions: [(path: String, tenant: String?)] = []
        var flightTenants: [String?] = []
        var hasLanded = false
        var finish: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let landing = Gate()

    var questions: [(path: String, tenant: String?)] { state.withLock(\.questions) }
    var flightTenants: [String?] { state.withLock(\.flightTenants) }

    func ask(_ resource: NetworkResource) -> Bool {
        state.withLock { state in
            state.questions.append((resource.draft.fullTarget?.path ?? "", Trace.id))
            return state.hasLanded
        }
    }

    func takeOff(_ finish: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            state.flightTenants.append(Trace.id)
            state.finish = finish
        }
    }

    func waitForLanding() async { await landing.wait() }

    func land() {
        let finish = state.withLock { state in
            state.hasLanded = true
            return state.finish
        }
        finish?()
        landing.open()
    }
}

private final class TenantConstraint: Constraint, @unchecked Sendable {
    let record: QuestionRecord

    init(_ record: QuestionRecord) {
        self.record = record
    }

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { record.ask(resource) }

    override func satisfyConstraint(for resource: NetworkResource) {
        let flight = flight
        record.takeOff { flight?.finish() }
    }
}

private final class AsyncTenantConstraint: AsyncConstraint {
    let record: QuestionRecord

    init(_ record: QuestionRecord) {
        self.record = record
    }

    func isSatisfied(for resource: NetworkResource) async -> Bool { record.ask(resource) }

    func satisfy(for resource: NetworkResource) async {
        record.takeOff()
        await record.waitForLanding()
    }
}

@Suite("A task-local value of a load's caller", .timeLimit(.minutes(15)))
struct TaskLocalTests {
    /// Redirects once, and then demands a credential.
    private let stub = StubTransport { request in
        let isFirst = request.target.path == "/x"
        let headers: HTTPFields = isFirst ? [.location: "/next"] : [.wwwAuthenticate: #"Basic realm="r""#]
        return TransportResponse(head: ResponseHead(statusCode: isFirst ? 302 : 401, headers: headers), content: Data())
    }

    private func swifty(_ sightings: Sightings) -> Swifty {
        Swifty(transport: stub) {
            $0.use(NotingConstraint(sightings), NotingAsyncConstraint(sightings))
            $0.use(
                RequestHook {
                    sightings.note("request interceptor")
                    return $0
                }
            )
            $0.use(
                ResponseHook {
                    sightings.note("response interceptor")
                    return $0
                }
            )
            $0.use(
                EventNames { _, _ in
                    sightings.note("observer")
                    return nil
                }
            )
            $0.use(NotingHandler(sightings: sightings))
            $0.retry = RetryPolicy { _ in
                sightings.note("retry decision")
                return .stop
            }
            $0.redirects.decide = { _ in
                sightings.note("redirect decision")
                return .follow
            }
        }
    }

    @Test("reaches the hooks of Docs/Configuration.md")
    func visibility() async throws {
        let sightings = Sightings()
        let swifty = swifty(sightings)
        let mocked = swifty.api.get("m").mock(data: Data())
        await Trace.$id.withValue("T1") {
            await withCheckedContinuation { continuation in
                swifty.api.get("x").load { (_: NetworkResponse) in
                    sightings.note("completion")
                    continuation.resume()
                }
            }
            await withCheckedContinuation { continuation in
                swifty.batch([mocked], progress: { _, _ in sightings.note("delivered progress") }) { _ in
                    sightings.note("batch completion")
                    continuation.resume()
                }
            }
            _ = await swifty.batch([mocked]) { _, _ in sightings.note("progress") }
            let graph = LoadGraph()
            let node = graph.add(mocked)
            graph.add(after: node) { _ in
                sightings.note("graph closure")
                return mocked
            }
            await graph.waitForAll()
            _ = try? await mocked.then { _ in
                sightings.note("chain closure")
                return mocked
            }.load()
        }
        let visible: Set = [
            "isKnownSatisfied", "isConstraintSatisfied", "satisfyConstraint", "isSatisfied", "satisfy", "invalidate",
            "request interceptor", "response interceptor", "observer", "challengeHandler", "retry decision",
            "redirect decision", "completion", "batch completion", "delivered progress", "progress", "graph closure",
            "chain closure",
        ]
        #expect(sightings.hooks(seeing: "T1") == visible)
        #expect(sightings.hooks(seeing: nil) == [])
    }

    @Test("is its own in each question about its load", arguments: [false, true])
    func questions(isAsync: Bool) async throws {
        let record = QuestionRecord()
        let constraint: any Swifty.Hook = isAsync ? AsyncTenantConstraint(record) : TenantConstraint(record)
        let stub = StubTransport { _ in TransportResponse(head: ResponseHead(statusCode: 200), content: Data()) }
        let swifty = Swifty(transport: stub) { $0.use(constraint) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for tenant in 0..<8 {
                group.addTask {
                    try await Trace.$id.withValue("\(tenant)") {
                        _ = try await swifty.api.get("tenant/\(tenant)").load()
                    }
                }
            }
            try await until { record.questions.count == 8 && record.flightTenants.count == 1 }
            record.land()
            try await group.waitForAll()
        }
        let questions = record.questions
        #expect(questions.allSatisfy { $0.path == "/tenant/\($0.tenant ?? "")" }, "\(questions)")
        // The load that has started the flight continues without another question.
        #expect(questions.count == 15, "\(questions)")
        #expect(record.flightTenants.count == 1)
        #expect(record.flightTenants.allSatisfy { $0 != nil })
    }
}
