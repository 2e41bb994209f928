// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

/// Loads a key on a Dispatch queue of its own, where task-local values are lost.
private final class KeyConstraint: Constraint, @unchecked Sendable {

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { false }

    override func satisfyConstraint(for resource: NetworkResource) {
        DispatchQueue(label: "key").async {
            Vault.server.get("key").load { (response: NetworkResponse) in self.finish(with: response.error) }
        }
    }
}

/// Loads in a detached task, after a gate has opened.
private final class DetachedConstraint: AsyncConstraint {
    let started = Gate()
    let mayLoad = Gate()

    func isSatisfied(for resource: NetworkResource) async -> Bool { false }

    func satisfy(for resource: NetworkResource) async throws {
        started.open()
        await mayLoad.wait()
        let response = await Task.detached { try await Vault.server.get("key").load() }.result
        guard try response.get().string == "k3y" else { throw CancellationError() }
    }
}

private struct DetachedInterceptor: RequestInterceptor {
    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        let key = try await Task.detached { try await Vault.server.get("key").load().text() }.value
        return resource.header("X-Client", key)
    }
}

private enum Door: WebService {
    static let serverURL = "https://door.example"
    static let network = StubTransport(content: "network")
    static let networkInterface: any NetworkInterface = Swifty(transport: network)
}

private enum Lobby: WebService {
    static let serverURL = "https://lobby.example"
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(content: "network"))
}

private func lateHookWithoutNamesakes() async throws -> String? {
    try await Task.detached { try await Lobby.server.get("key").load().text() }.value
}

/// Loads of another service, and of none, in detached tasks. No other hook has this name, so that those of other tests
/// do not count.
private func hookWithoutNamesakes() async -> [SwiftyError?] {
    let foreign = await Task.detached { try await Door.server.get("key").load() }.result
    let plain = await Task.detached {
        try await BaseResource("https://plain.example", networkInterface: Door.networkInterface).get("x").load()
    }.result
    return [foreign, plain].map { result -> SwiftyError? in
        if case .failure(let error) = result { error as? SwiftyError } else { nil }
    }
}

/// Leaves a task behind that loads when it may.
private final class LeavingHook: ResponseInterceptor {
    let mayLoad = Gate()
    private let text = Mutex<String?>(nil)
    let hasLoaded = Gate()

    var loaded: String? { text.withLock { $0 } }

    func intercept(response: NetworkResponse) async throws -> NetworkResponse {
        Task.detached {
            await self.mayLoad.wait()
            let loaded = try? await Vault.server.get("key").load().text()
            self.text.withLock { $0 = loaded }
            self.hasLoaded.open()
        }
        return response
    }
}

private enum Vault: WebService {
    static let serverURL = "https://vault.example"
    static let network = StubTransport(content: "network")
    static let networkInterface: any NetworkInterface = Swifty(transport: network)
}

@Suite("Mocks and hooks that change the thread", .serialized, .timeLimit(.minutes(15)))
struct MockHookTests {
    private func resource(_ change: (inout Swifty.Configuration) -> Void) -> NetworkResource {
        let swifty = Swifty(transport: Vault.network, configure: change)
        return BaseResource("https://vault.example", networkInterface: swifty).get("door")
    }

    private let mocks: KeyValuePairs<MockPattern, MockAnswer> = [
        .get("key"): .text("k3y"), .url("https://vault.example/door"): .text("open"),
    ]

    @Test("hold for the load that a constraint makes on a Dispatch queue, and in a detached task", arguments: 0..<2)
    func constraints(_ index: Int) async throws {
        let detached = DetachedConstraint()
        detached.mayLoad.open()
        let constraint: any Swifty.Hook = index == 0 ? KeyConstraint() : detached
        try await withMocks(for: Vault.self, mocks) {
            let response = try await resource { $0.use(constraint) }.load()
            #expect(response.string == "open")
            let sent = try Vault.sent()
            #expect(sent.map(\.path) == ["/key"])
        }
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("hold for the load that an interceptor makes in a detached task")
    func interceptors() async throws {
        let options = {
            var options = MockOptions()
            options.runsRequestInterceptors = true
            return options
        }()
        try await withMocks(for: Vault.self, mocks, options: options) {
            let door = resource { $0.use(DetachedInterceptor()) }
            let response = try await door.load()
            #expect(response.string == "open")
            let sent = try Vault.sent()
            #expect(sent.map(\.path) == ["/key"])
        }
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("let a load fail that may belong to one of two tests, and send nothing")
    func ambiguous() async throws {
        let (first, second) = (DetachedConstraint(), DetachedConstraint())
        async let other: Void = withMocks(for: Vault.self, mocks) {
            let response = try await resource { $0.use(first) }.load()
            #expect(response.string == "open")
        }
        await first.started.wait()
        second.mayLoad.open()
        let error = await #expect(throws: SwiftyError.self) {
            try await withMocks(for: Vault.self, mocks) { try await resource { $0.use(second) }.load() }
        }
        #expect(error?.code == .constraintFailed)
        #expect(error?.reason.contains("NetworkReplacements.current") == true, "\(error as Any)")
        first.mayLoad.open()
        try await other
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("hold for loads of other services and of none, and stand in their way")
    func others() async throws {
        try await withMocks(for: Vault.self, mocks) {
            let errors = await NetworkScope.runHook("hookWithoutNamesakes()", in: NetworkScope.current) {
                await hookWithoutNamesakes()
            }
            #expect(errors.map { $0?.code } == [.mockUnavailable, .mockUnavailable])
        }
        // Beside a hook outside of mocks, such a load may be its own.
        try await withMocks(for: Vault.self, mocks) {
            await NetworkScope.runHook("hookWithoutNamesakes()", in: NetworkScope.current) {
                await Task.detached {
                    await NetworkScope.runHook("hookWithoutNamesakes()", in: nil) {
                        let errors = await hookWithoutNamesakes()
                        #expect(errors.allSatisfy { $0 == nil })
                    }
                }.value
            }
        }
        #expect(Door.network.requests.count == 2)
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("hold for the load of a task that an interceptor leaves behind")
    func leftBehind() async throws {
        let hook = LeavingHook()
        let swifty = Swifty(transport: Vault.network) { $0.use(hook) }
        try await withMocks(for: Vault.self, mocks) {
            _ = try await BaseResource("https://vault.example", networkInterface: swifty).get("door").load()
            hook.mayLoad.open()
            await hook.hasLoaded.wait()
            #expect(hook.loaded == "k3y")
        }
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("end with their block, also for a hook that ends later")
    func ended() async throws {
        let name: StaticString = "lateHookWithoutNamesakes()"
        let mocks: KeyValuePairs<MockPattern, MockAnswer> = [.get("key"): .text("k3y")]
        let scope = try await withMocks(for: Lobby.self, mocks) {
            let text = try await NetworkScope.runHook(name, in: NetworkScope.current) {
                try await lateHookWithoutNamesakes()
            }
            #expect(text == "k3y")
            return NetworkScope.current
        }
        await NetworkScope.runHook(name, in: scope) {}
        let text = try await lateHookWithoutNamesakes()
        #expect(text == "network")
    }

    @Test("are not taken away by replacements that were noted outside of them")
    func noted() async throws {
        let outside = NetworkReplacements.current
        try await withMocks(for: Vault.self, mocks) {
            let text = try await outside.apply { try await Vault.server.get("key").load().text() }
            #expect(text == "k3y")
        }
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("answer behind another interface, too, unless it has no network")
    func tenants() async throws {
        let tenant = Swifty(transport: TransportSettings())
        try await withMocks(for: Vault.self, mocks) {
            try await withNetworkInterface(tenant, for: Vault.self) {
                let text = try await Vault.server.get("key").load().text()
                #expect(text == "k3y")
                let error = await #expect(throws: SwiftyError.self) { try await Vault.server.get("other").load() }
                #expect(error?.code == .mockUnavailable)
            }
            try await withNetworkInterface(Swifty(transport: StubTransport(content: "stub")), for: Vault.self) {
                let text = try await Vault.server.get("key").load().text()
                #expect(text == "stub")
            }
        }
    }

    @Test("keep the pause that a mocked 429 asks for to themselves")
    func pauses() async throws {
        let clock = TestClock()
        let swifty = Swifty(transport: StubTransport(content: "network")) {
            $0.admission.hostBackoff = .seconds(60)
            $0.clock = clock
        }
        let door = BaseResource("https://vault.example", networkInterface: swifty).get("door")
        try await withMocks(
            for: Vault.self,
            [
                .url("https://vault.example/door"): .sequence(
                    .status(429, headers: ["Retry-After": "60"]),
                    .text("open")
                )
            ]
        ) {
            _ = try await door.validate(status: [429]).load()
            // Real within these mocks.
            let later = Task { try await door.copy().validate(status: [200]).load().text() }
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(61))
            let text = try await later.value
            #expect(text == "open")
            _ = try? await door.copy().load()
        }
        let text = try await door.copy().validate(status: [200]).load().text()
        #expect(text == "network")
        #expect(swifty.admissionStatistics.waiting == 0)
    }

    @Test("are taken along to a queue of one's own")
    func replacements() async throws {
        try await withMocks(for: Vault.self, mocks) {
            let replacements = NetworkReplacements.current
            let text = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
                DispatchQueue(label: "own").async {
                    replacements.apply {
                        Vault.server.get("key").load { (response: NetworkResponse) in
                            continuation.resume(returning: response.string)
                        }
                    }
                }
            }
            #expect(text == "k3y")
            let detached = Task.detached {
                try await replacements.apply { try await Vault.server.get("key").load().text() }
            }
            let second = try await detached.value
            #expect(second == "k3y")
        }
        #expect(Vault.network.requests.isEmpty)
    }
}
