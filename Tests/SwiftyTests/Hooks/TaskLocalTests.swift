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

private final class NotingAsyncConstraint: AsyncConstraint, @unchecked Sendable {
    let sightings: Sightings

    init(_ sightings: Sightings) {
        self.sightings = sightings
    }

    override func isSatisfied(for resource: NetworkResource) async -> Bool {
        sightings.note("isSatisfied")
        return false
    }

    override func satisfy(for resource: NetworkResource) async {
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

@Suite("A task-local value of a load's caller", .timeLimit(.minutes(15)))
struct TaskLocalTests {
    /// Redirects once, and then demands a credential.
    private let stub = StubTransport { request in
        let isFirst = request.target.path == "/x"
        let headers: HTTPFields = isFirst ? [.location: "/next"] : [.wwwAuthenticate: #"Basic realm="r""#]
        return TransportResponse(head: ResponseHead(statusCode: isFirst ? 302 : 401, headers: headers), body: Data())
    }

    private func swifty(_ sightings: Sightings) -> Swifty {
        Swifty(transport: stub) {
            $0.constraints = [NotingConstraint(sightings), NotingAsyncConstraint(sightings)]
            $0.requestInterceptors = [
                RequestHook {
                    sightings.note("request interceptor")
                    return $0
                }
            ]
            $0.responseInterceptors = [
                ResponseHook {
                    sightings.note("response interceptor")
                    return $0
                }
            ]
            $0.observers = [
                EventNames { _, _ in
                    sightings.note("observer")
                    return nil
                }
            ]
            $0.challengeHandler = NotingHandler(sightings: sightings)
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

    @Test("reaches the hooks of Docs/Configuration.md, and no others")
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
            "isKnownSatisfied", "invalidate", "request interceptor", "response interceptor", "observer",
            "challengeHandler", "retry decision", "redirect decision", "progress", "graph closure", "chain closure",
        ]
        let hidden: Set = [
            "isConstraintSatisfied", "satisfyConstraint", "isSatisfied", "satisfy", "completion", "batch completion",
            "delivered progress",
        ]
        #expect(sightings.hooks(seeing: "T1") == visible)
        #expect(sightings.hooks(seeing: nil) == hidden)
    }
}
