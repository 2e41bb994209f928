// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

import struct Foundation.Data

@Suite("A constraint that invalidates", .timeLimit(.minutes(15)))
struct ConstraintInvalidationTests {
    /// A constraint that each flight satisfies until `invalidate` is called, which always returns `true`.
    private final class RefreshedCredential: Constraint, @unchecked Sendable {
        let flights = Counter()
        let invalidations = Counter()

        override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
            flights.value > invalidations.value
        }

        override func satisfyConstraint(for resource: NetworkResource) {
            flights.increment()
            finish()
        }

        override func invalidate(after response: NetworkResponse) -> Bool {
            #expect(response.request?.template == "x")
            invalidations.increment()
            return true
        }
    }

    @Test(
        "makes the load wait again and be sent a second time, but not a third time",
        arguments: [401, 403]
    )
    func replay(status: Int) async throws {
        let stub = StubTransport(status: status)
        let credential = RefreshedCredential()
        let swifty = Swifty(transport: stub) { $0.use(credential) }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.post("x").text("body").load() }
        #expect(error?.statusCode == status)
        #expect(error?.attempts.count == 2)
        #expect(stub.requests.count == 2)
        #expect(credential.flights.value == 2)
        #expect(stub.requests.allSatisfy { $0.content.length == 4 })
    }

    @Test("is asked, but the load is not sent again, if its content can be read only once")
    func contentOnce() async throws {
        let stub = StubTransport(status: 401)
        let credential = RefreshedCredential()
        let swifty = Swifty(transport: stub) { $0.use(credential) }
        let upload = swifty.api.put("x").stream(isReplayable: false) { writer in try await writer.write("once") }
        let error = await #expect(throws: SwiftyError.self) { try await upload.load() }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.statusCode == 401)
        #expect(stub.requests.count == 1)
        #expect(credential.invalidations.value == 1)
        #expect(credential.flights.value == 1)
    }

    @Test("is not asked about loads without constraints, nor about other statuses")
    func noReplay() async throws {
        let stub = StubTransport { request in
            let status = request.headers.contains(.accept) ? 404 : 401
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data())
        }
        let credential = RefreshedCredential()
        let swifty = Swifty(transport: stub) { $0.use(credential) }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").constraints(.none).load() }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").accept("a/b").load() }
        #expect(stub.requests.count == 2)
        #expect(credential.invalidations.value == 0)
    }

    /// A constraint that logs in through its own `Swifty`, at the server of the other loads.
    private final class Login: AsyncConstraint {
        let interface = Mutex<Swifty?>(nil)
        let isLoggedIn = Mutex(true)
        let logins = Counter()

        func isSatisfied(for resource: NetworkResource) async -> Bool { isLoggedIn.withLock { $0 } }

        func satisfy(for resource: NetworkResource) async throws {
            _ = try await interface.withLock { $0 }?.api.post("login").load()
            logins.increment()
            isLoggedIn.withLock { $0 = true }
        }

        func invalidate(after response: NetworkResponse) -> Bool {
            isLoggedIn.withLock { $0 = false }
            return true
        }
    }

    @Test("ends a stream that was refused first: its place may be the one that the login waits for")
    func place() async throws {
        let login = Login()
        let stub = StubTransport { request in
            let isRefused = request.target.path != "/login" && login.logins.value == 0
            return TransportResponse(head: ResponseHead(statusCode: isRefused ? 401 : 200), content: Data("a".utf8))
        }
        let swifty = Swifty(transport: stub) {
            $0.use(login)
            $0.admission.maximumLoadsPerHost = 1
        }
        login.interface.withLock { $0 = swifty }
        defer { login.interface.withLock { $0 = nil } }
        let resource = swifty.api.get("x").validate(status: .any).timeout(total: .seconds(60))
        let stream = try await resource.stream()
        #expect(stream.head.statusCode == 200)
        #expect(stub.requests.map(\.target.path) == ["/x", "/login", "/x"])
    }

    /// A constraint whose state is isolated.
    private actor Vault: AsyncConstraint, RequestInterceptor {
        private(set) var token: Int?
        private var last = 0

        func isSatisfied(for resource: NetworkResource) -> Bool { token != nil }

        func satisfy(for resource: NetworkResource) async throws {
            last += 1
            token = last
        }

        func intercept(resource: NetworkResource) -> NetworkResource {
            token.map { resource.bearer("t\($0)") } ?? resource
        }

        func invalidate(after response: NetworkResponse) async -> Bool {
            await Task.yield()
            if let token, response.request?.headers[.authorization] == "Bearer t\(token)" { self.token = nil }
            return true
        }
    }

    @Test("drops the refused credential of an actor, once for all loads that carried it")
    func isolated() async throws {
        let vault = Vault()
        let stub = StubTransport { request in
            let isRefused = request.headers[.authorization] == "Bearer t1"
            return TransportResponse(head: ResponseHead(statusCode: isRefused ? 401 : 200), content: Data())
        }
        let swifty = Swifty(transport: stub) { $0.use(vault) }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { try await swifty.api.get("x").load().statusCode } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(await vault.token == 2)
    }

    /// A constraint that never says whether a credential was its own.
    private struct Undecided: AsyncConstraint {
        let asked = Gate()
        let left = Gate()

        func isSatisfied(for resource: NetworkResource) async -> Bool { true }
        func satisfy(for resource: NetworkResource) async throws {}

        func invalidate(after response: NetworkResponse) async -> Bool {
            asked.open()
            await untilCancelled()
            left.open()
            return true
        }
    }

    @Test("does not hold a load that is cancelled or reaches its time limit, and keeps the refusal in the error")
    func undecided() async throws {
        for isCancelled in [true, false] {
            let (constraint, clock) = (Undecided(), TestClock())
            let swifty = Swifty(transport: StubTransport(status: 403)) {
                $0.use(constraint)
                $0.clock = clock
            }
            let load = Task { try await swifty.api.get("x").timeout(.seconds(60)).load() }
            try await until { constraint.asked.isOpen }
            if isCancelled { load.cancel() } else { await clock.advance(by: .seconds(60)) }
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == (isCancelled ? .cancelled : .timedOut))
            #expect(error?.statusCode == 403)
            try await until { constraint.left.isOpen }
        }
    }
}
