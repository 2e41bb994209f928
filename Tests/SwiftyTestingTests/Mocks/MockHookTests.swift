// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

/// Loads a key on a Dispatch queue, to which it takes the mocks along.
private final class QueueConstraint: Constraint, @unchecked Sendable {
    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool { false }

    override func satisfyConstraint(for resource: NetworkResource) {
        let replacements = NetworkReplacements.current
        DispatchQueue(label: "key").async {
            replacements.apply {
                Vault.server.get("key").load { (response: NetworkResponse) in self.finish(with: response.error) }
            }
        }
    }
}

private struct DetachedConstraint: AsyncConstraint {
    func isSatisfied(for resource: NetworkResource) async -> Bool { false }

    func satisfy(for resource: NetworkResource) async throws {
        guard try await Vault.keyOfDetachedTask() == "k3y" else { throw CancellationError() }
    }
}

private struct DetachedInterceptor: RequestInterceptor {
    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        let key = try await Vault.keyOfDetachedTask()
        return resource.header("X-Client", key)
    }
}

/// Leaves a task behind that loads when it may.
private final class LeavingHook: ResponseInterceptor {
    let mayLoad = Gate()
    private let text = Mutex<String?>(nil)
    let hasLoaded = Gate()

    var loaded: String? { text.withLock { $0 } }

    func intercept(response: NetworkResponse) async throws -> NetworkResponse {
        Task {
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

    /// Loads the key in a detached task, to which it takes the mocks along.
    static func keyOfDetachedTask() async throws -> String {
        let replacements = NetworkReplacements.current
        return try await Task.detached {
            try await replacements.apply { try await Vault.server.get("key").load().text() }
        }.value
    }
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

    @Test("are taken along by a constraint that loads on a Dispatch queue, or in a detached task", arguments: 0..<2)
    func constraints(_ index: Int) async throws {
        let constraint: any Swifty.Hook = index == 0 ? QueueConstraint() : DetachedConstraint()
        try await withMocks(for: Vault.self, mocks) {
            let response = try await resource { $0.use(constraint) }.load()
            #expect(response.string == "open")
            let sent = try Vault.sent()
            #expect(sent.map(\.path) == ["/key"])
        }
        #expect(Vault.network.requests.isEmpty)
    }

    @Test("are taken along by an interceptor that loads in a detached task")
    func interceptors() async throws {
        let policy = {
            var policy = MockPolicy()
            policy.runsRequestInterceptors = true
            return policy
        }()
        try await withMocks(for: Vault.self, mocks, policy: policy) {
            let door = resource { $0.use(DetachedInterceptor()) }
            let response = try await door.load()
            #expect(response.string == "open")
            let sent = try Vault.sent()
            #expect(sent.map(\.path) == ["/key"])
        }
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
