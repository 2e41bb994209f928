// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Counts the runs of a hook that loads, and stops it when it should long have ended.
private final class Recursion: Sendable {
    private let counter = Counter()
    private let box = Box()
    let way: HookMarkTests.Way

    init(_ way: HookMarkTests.Way) {
        self.way = way
    }

    var runs: Int { counter.value }
    var swifty: Swifty? {
        get { box.swifty }
        set { box.swifty = newValue }
    }

    func load() async {
        counter.increment()
        guard runs < 40, let swifty else { return }
        await way.load(swifty.api.get("inner"), swifty)
    }
}

@Suite("A load that a hook makes", .timeLimit(.minutes(15)))
struct HookMarkTests {
    enum Way: CaseIterable, Sendable {
        case awaited, inTask, inGroup, inClosure, inClosureOfClosure, inClosureOfBatch

        func load(_ resource: NetworkResource, _ swifty: Swifty) async {
            switch self {
            case .awaited: _ = try? await resource.load()
            case .inTask: await Task { _ = try? await resource.load() }.value
            case .inGroup: await withTaskGroup { $0.addTask { _ = try? await resource.load() } }
            case .inClosure: await Self.closure(of: resource)
            case .inClosureOfClosure:
                await withCheckedContinuation { continuation in
                    resource.copy().constraints(.none).load { (_: NetworkResponse) in
                        resource.load { (_: NetworkResponse) in continuation.resume() }
                    }
                }
            case .inClosureOfBatch:
                await withCheckedContinuation { continuation in
                    let mocked = resource.copy().mock(data: Data())
                    swifty.batch([mocked]) { _ in
                        resource.load { (_: NetworkResponse) in continuation.resume() }
                    }
                }
            }
        }

        private static func closure(of resource: NetworkResource) async {
            await withCheckedContinuation { continuation in
                resource.load { (_: NetworkResponse) in continuation.resume() }
            }
        }
    }

    private enum Kind: CaseIterable {
        case request, response, retryDecision, redirectDecision, challenge
    }

    private struct Handler: AuthenticationChallenge.Handler {
        let recursion: Recursion

        func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
            await recursion.load()
            return .default
        }
    }

    private func swifty(_ kind: Kind, _ recursion: Recursion) -> Swifty {
        switch kind {
        case .request:
            Swifty(transport: StubTransport()) {
                $0.use(
                    RequestHook {
                        await recursion.load()
                        return $0
                    }
                )
            }
        case .response:
            Swifty(transport: StubTransport()) {
                $0.use(
                    ResponseHook {
                        await recursion.load()
                        return $0
                    }
                )
            }
        case .retryDecision:
            Swifty(transport: StubTransport(status: 503)) {
                $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
                $0.retry.decide = { _ in
                    await recursion.load()
                    return .stop
                }
            }
        case .redirectDecision:
            Swifty(transport: StubTransport(status: 302, headers: [.location: "/next"])) {
                $0.redirects.decide = { _ in
                    await recursion.load()
                    return .refuse
                }
            }
        case .challenge:
            Swifty(transport: StubTransport(status: 401, headers: [.wwwAuthenticate: #"Basic realm="r""#])) {
                $0.use(Handler(recursion: recursion))
            }
        }
    }

    @Test("does not run the hook again, however the load is made", arguments: Kind.allCases, Way.allCases)
    private func recursion(_ kind: Kind, _ way: Way) async throws {
        let recursion = Recursion(way)
        let swifty = swifty(kind, recursion)
        recursion.swifty = swifty
        _ = try? await swifty.api.get("outer").load()
        #expect(recursion.runs == 1)
        _ = try? await swifty.api.get("outer").load()
        #expect(recursion.runs == 2, "a later load runs the hook")
        recursion.swifty = nil
    }

    @Test("passes the other interceptors: each once, whichever of them loads", arguments: Way.allCases)
    func others(_ way: Way) async throws {
        let (first, second) = (Recursion(way), Recursion(way))
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            for (index, recursion) in [first, second].enumerated() {
                let hook = RequestHook {
                    await recursion.load()
                    return $0.addHeader("X-Passed", "\(index)")
                }
                $0.use(hook)
            }
        }
        for recursion in [first, second] { recursion.swifty = swifty }
        _ = try await swifty.api.get("outer").load()
        // The outer load passes both; the load of each passes the other one, whose load passes neither.
        let repeated = way == .inClosureOfClosure ? 2 : 1
        let passed = stub.requests.map { $0.values(of: "X-Passed").joined() }
        #expect(passed.filter { $0 == "01" }.count == 1)
        #expect(passed.last == "01")
        #expect(passed.filter { $0 == "0" }.count == repeated)
        #expect(passed.filter { $0 == "1" }.count == repeated)
        for recursion in [first, second] { recursion.swifty = nil }
    }

    @Test("ends if the interceptors of two instances load through each other", arguments: Way.allCases)
    func eachOther(_ way: Way) async throws {
        let (first, second) = (Recursion(way), Recursion(way))
        let swifties = [first, second].map { recursion in
            Swifty(transport: StubTransport()) {
                $0.use(
                    RequestHook {
                        await recursion.load()
                        return $0
                    }
                )
            }
        }
        (first.swifty, second.swifty) = (swifties[1], swifties[0])
        _ = try await swifties[0].api.get("outer").load()
        #expect(first.runs == 1)
        #expect((1...2).contains(second.runs))
        (first.swifty, second.swifty) = (nil, nil)
    }

    @Test("is held by a constraint whose flight passes the interceptor, and the interceptor's load there ends")
    func flights() async throws {
        let recursion = Recursion(.awaited)
        let box = Box()
        let constraint = TestConstraint { constraint in
            box.swifty?.api.get("token").load { (_: NetworkResponse) in
                constraint.isSatisfied = true
                constraint.finish()
            }
        }
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) {
            $0.use(constraint)
            $0.use(
                RequestHook {
                    await recursion.load()
                    return $0.header("X-Passed", "1")
                }
            )
        }
        (recursion.swifty, box.swifty) = (swifty, swifty)
        _ = try await swifty.api.get("outer").constraints(.none).load()
        #expect(recursion.runs == 2)
        #expect(stub.requests.filter { $0.target.path == "/token" }.map { $0.values(of: "X-Passed") } == [["1"]])
        (recursion.swifty, box.swifty) = (nil, nil)
    }
}
