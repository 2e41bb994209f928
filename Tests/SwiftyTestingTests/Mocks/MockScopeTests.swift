// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTesting

/// A service whose own transport fails each test that reaches it.
final class Forge: WebService {
    static let serverURL = "https://forge.example/api"
    static let clock = TestClock()
    static let networkInterface: any NetworkInterface = Swifty(
        transport: StubTransport { request in
            Issue.record("\(request) has reached the network")
            throw SwiftyError(.connectionFailed, stage: .connect)
        }
    ) {
        $0.retry = RetryPolicy(backoff: .none)
        $0.use(Token())
    }

    struct Token: RequestInterceptor {
        func intercept(resource: NetworkResource) async throws -> NetworkResource {
            resource.header("Authorization", "Bearer secret")
        }
    }

    struct Repository: Codable, Equatable, Sendable { let name: String }

    static func repositories(of user: String) -> TypedResource<[Repository]> {
        server.get("users/{user}/repos", ["user": user]).query(["sort": "pushed"]).decode([Repository].self)
    }
    static func create(_ repository: Repository) -> NetworkResource { server.post("repos").json(repository) }
    static var status: NetworkResource { server.get("status") }
    static func named(_ name: String) -> NetworkResource { server.get("other").name(name) }
    static func root() -> NetworkResource { server.get() }
    static func branch(_ name: String, of repository: String) -> NetworkResource {
        server.get("repos/\(repository)/branches/\(name)")
    }
    static func file(_ path: String, of repository: String) -> NetworkResource {
        server.get("repos/\(repository, as: "repository")/files/\(raw: path)/raw")
    }
}

final class OtherForge: WebService {
    static let serverURL = "https://other.example"
    static let keyStyle = QueryEncoding.KeyStyle.snakeCase
    static let networkInterface: any NetworkInterface = Swifty(transport: StubTransport(content: "other"))

    static func status() -> NetworkResource { server.get("status") }
}

@Suite("Mocks", .timeLimit(.minutes(15)))
struct MockScopeTests {
    func failure(_ body: () async throws -> Void) async -> SwiftyError? {
        do { try await body() } catch { return error as? SwiftyError }
        return nil
    }

    func policy(_ files: [String: String]) throws -> (MockPolicy, TemporaryFolder) {
        let folder = try TemporaryFolder()
        for (name, text) in files {
            let parent = URL(fileURLWithPath: folder.path(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        var policy = MockPolicy()
        policy.folder = folder.path
        return (policy, folder)
    }

    @Test("answer in sequence, with retries, decoding and metrics as with a server")
    func sequence() async throws {
        let answers = MockAnswer.sequence(.status(503), .failure(.connectionLost), .json([Forge.Repository(name: "a")]))
        try await withMocks(for: Forge.self, [.get("users/{user}/repos"): answers]) {
            let response = try await Forge.repositories(of: "apple").response()
            #expect(response.value == [Forge.Repository(name: "a")])
            #expect(response.metrics.attempts.map(\.statusCode) == [503, nil, 200])
            #expect(response.metrics.isMocked)
            // The last answer stays.
            #expect(try await Forge.repositories(of: "b").load().count == 1)
            let sent = try Forge.sent()
            #expect(sent.map(\.path) == Array(repeating: "/api/users/apple/repos", count: 3) + ["/api/users/b/repos"])
            #expect(sent.last?.query["sort"] == "pushed")
            // Request interceptors are skipped, as for mock(file:).
            #expect(sent.allSatisfy { $0["Authorization"] == nil })
        }
    }

    @Test("run the request interceptors if asked, and show what was sent, with its content")
    func sent() async throws {
        var policy = MockPolicy()
        policy.runsRequestInterceptors = true
        try await withMocks(for: Forge.self, [.any: .status(201)], policy: policy) {
            try await Forge.create(Forge.Repository(name: "a")).load()
            let sent = try #require(try Forge.sent().first)
            #expect(sent.method == "POST")
            #expect(sent.name == "create")
            #expect(try sent.decode(Forge.Repository.self) == Forge.Repository(name: "a"))
            #expect(sent["authorization"] == "Bearer secret")
            #expect("\(sent)" == "POST https://forge.example/api/repos")
        }
        #expect(await failure { _ = try Forge.sent() }?.code == .mockUnavailable)
    }

    @Test("decode what was sent with the decoder of the service by default")
    func sentNames() async throws {
        struct User: Codable, Equatable, Sendable { let userName: String }
        try await withMocks(for: OtherForge.self, [.any: .data(Data(#"{"user_name":"b"}"#.utf8))]) {
            let response = try await OtherForge.server.post("users").json(User(userName: "a")).load()
            #expect(try response.decode(User.self) == User(userName: "b"))
            #expect(try OtherForge.sent().first?.decode(User.self) == User(userName: "a"))
        }
    }

    @Test("match by method, path, name, query, field and JSON")
    func patterns() async throws {
        let post = Forge.create(Forge.Repository(name: "a"))
        let cases: [(MockPattern, NetworkResource, Bool)] = [
            (.get("status"), Forge.status, true),
            (.get("/status/"), Forge.status, true),
            (.get("/api/status"), Forge.status, true),
            (.post("status"), Forge.status, false),
            (.path("status"), Forge.status, true),
            (.get("stat{rest}"), Forge.status, true),
            (.get("{a}/{b}"), Forge.status, true),
            (.get("{a}"), Forge.status, true),
            (.get("x/{a}/y"), Forge.status, false),
            (.get(""), Forge.root(), true),
            (.named("status"), Forge.status, true),
            (.named("mine"), Forge.named("mine"), true),
            (.named("named"), Forge.named("mine"), false),
            (.named("create"), post, true),
            (.url("https://forge.example/api/{rest*}"), Forge.status, true),
            (.url("https://forge.example:443/api/status"), Forge.status, true),
            (.url("http://forge.example/api/status"), Forge.status, false),
            (.any.query(["a": "1"]), Forge.status.query(["a": 1, "b": 2]), true),
            (.any.query(["a": "1", "c": nil]), Forge.status.query(["a": 1, "b": 2]), true),
            (.any.query(["a": "1", "b": nil]), Forge.status.query(["a": 1, "b": 2]), false),
            (.any.header("x-a"), Forge.status.header("X-A", "1"), true),
            (.any.header("x-a", "2"), Forge.status.header("X-A", "1"), false),
            (.any.json(["name": "a"]), post, true),
            (.any.json(text: "{ \"name\" : \"\\u0061\" }"), post, true),
            (.any.json(["name": "b"]), post, false),
            (.any.json(["name": "a"]), Forge.status, false),
        ]
        for (pattern, resource, matches) in cases {
            let error = try await withMocks(for: Forge.self, [pattern: .status(200)]) {
                await failure { try await resource.load() }
            }
            #expect(error?.code == (matches ? nil : .mockUnavailable), "\(pattern) \(resource)")
        }
    }

    @Test("that are missing fail the load, and name the nearest ones and what differs")
    func nearMiss() async throws {
        let (policy, folder) = try policy(["repositorys.json": "[]", "users/{user}.json": "[]"])
        try await withMocks(
            for: Forge.self,
            [
                .get("users/{user}/repos").query(["sort": "name"]): .status(200),
                .post("repos").json(["name": "b", "owner": "c"]): .status(201),
            ],
            policy: policy
        ) {
            let first = await failure { _ = try await Forge.repositories(of: "apple").load() }
            #expect(first?.code == .mockUnavailable)
            #expect(first?.sent == .notSent)
            #expect(
                first?.reason
                    == "no mock answers GET https://forge.example/api/users/apple/repos?sort=pushed (repositories); "
                    + "nearest: .get(\"users/{user}/repos\").query([\"sort\": \"name\"]), "
                    + "but the query parameter sort is \"pushed\"; "
                    + "repositorys.json, but it is the file of \"repositorys\"; "
                    + "users/{user}.json, but it is the file of \"users/{user}\"; "
                    + "a file that answers it: \(folder.path)/repositories.json"
            )
            let second = await failure { try await Forge.create(Forge.Repository(name: "a")).load() }
            #expect(
                second?.reason.contains(
                    "in the content $.name is \"a\" instead of \"b\", in the content $.owner is missing"
                ) == true,
                "\(second?.reason ?? "")"
            )
            let sent = try Forge.sent()
            #expect(sent.isEmpty)
        }
    }

    @Test("are found in files by name, by template and by method, with variables")
    func files() async throws {
        let (policy, folder) = try policy([
            "repositories.json": "[{\"name\": \"{{user}}\"}]",
            "repos.POST.http": "HTTP/1.1 201 Created\nLocation: /x\n",
            "repos.http": "HTTP/1.1 405 Method Not Allowed\n",
            "status.response.json": "[{\"status\": 503}, {\"failure\": \"connectionLost\"}, {\"body\": \"up\"}]",
            "mine.txt": "text",
            "index.txt": "root",
            "README.md": "no mock",
        ])
        try await withMocks(for: Forge.self, policy: policy) {
            #expect(try await Forge.repositories(of: "apple").load() == [Forge.Repository(name: "apple")])
            #expect(try await Forge.create(Forge.Repository(name: "a")).load().statusCode == 201)
            let status = try await Forge.status.load()
            #expect(status.string == "up")
            #expect(status.metrics.attempts.count == 3)
            #expect(try await Forge.named("mine").load().string == "text")
            #expect(try await Forge.root().load().string == "root")
            // A mock of the resource itself, and one in code, go before files.
            #expect(try await Forge.named("mine").mock(data: Data("own".utf8)).load().string == "own")
            try await withMocks(for: Forge.self, [.named("mine"): .text("code")], policy: policy) {
                let text = try await Forge.named("mine").load().text()
                #expect(text == "code")
                #expect(try await Forge.root().load().string == "root")
            }
        }
        #expect(folder.path == policy.folder)
    }

    @Test("in files that are ambiguous, broken or missing are errors that name them")
    func badFiles() async throws {
        let (policy, folder) = try policy([
            "mine.txt": "a", "mine.json": "1", "status.http": "HTTP/1.1 200 OK\nno field\n",
        ])
        try await withMocks(
            for: Forge.self,
            [.post("repos"): .file("no-such.json"), .get(""): .file("../x.json")],
            policy: policy
        ) {
            let ambiguous = await failure { try await Forge.named("mine").load() }
            #expect(
                ambiguous?.reason
                    == "the mock files \(folder.path)/mine.json and \(folder.path)/mine.txt answer the same request; "
                    + "remove all but one"
            )
            let broken = await failure { try await Forge.status.load() }
            #expect(broken?.reason.hasPrefix("\(folder.path)/status.http:2: ") == true)
            let missing = await failure { try await Forge.create(Forge.Repository(name: "a")).load() }
            #expect(
                missing?.reason.hasPrefix("there is no mock file \"no-such.json\"") == true,
                "\(missing?.reason ?? "")"
            )
            let outside = await failure { try await Forge.root().load() }
            #expect(outside?.reason.contains("\"..\"") == true, "\(outside?.reason ?? "")")
        }
        var missing = MockPolicy()
        missing.folder = "/no/such/folder"
        let none = await failure { try await withMocks(for: Forge.self, policy: missing) {} }
        #expect(none?.reason == "the folder of mock files /no/such/folder does not exist")
    }

    @Test("that answered nothing fail the block if it must use them")
    func unused() async throws {
        var (policy, folder) = try policy(["status.txt": "up", "mine.txt": "x"])
        policy.requires = .everything
        let error = await #expect(throws: UnusedMocksError.self) {
            try await withMocks(for: Forge.self, [.post("repos"): .status(201)], policy: policy) {
                _ = try await Forge.status.load()
            }
        }
        #expect(error?.description == "these mocks answered no request: .post(\"repos\"), \(folder.path)/mine.txt")
        policy.requires = .patterns
        try await withMocks(for: Forge.self, [.get("status"): .status(204)], policy: policy) {
            _ = try await Forge.status.load()
        }
    }

    @Test("of one service refuse the requests of others, unless they are allowed or mocked by URL")
    func otherServices() async throws {
        let mocks: KeyValuePairs<MockPattern, MockAnswer> = [.any: .status(204)]
        try await withMocks(for: Forge.self, mocks) {
            let refused = await failure { try await OtherForge.status().load() }
            #expect(refused?.code == .mockUnavailable)
            #expect(
                refused?.reason.hasPrefix("only Forge is mocked here, and GET https://other.example/status") == true
            )
            try await withMocks(for: OtherForge.self, [.get("status"): .text("mocked")]) {
                let text = try await OtherForge.status().load().text()
                #expect(text == "mocked")
                #expect(try await Forge.status.load().statusCode == 204)
            }
        }
        try await withMocks(for: Forge.self, [.url("https://other.example/{path}"): .text("url")]) {
            let text = try await OtherForge.status().load().text()
            #expect(text == "url")
        }
        var policy = MockPolicy()
        policy.allowsOtherServices = true
        try await withMocks(for: Forge.self, mocks, policy: policy) {
            let text = try await OtherForge.status().load().text()
            #expect(text == "other")
        }
    }

    @Test("answer redirects by the path that they lead to")
    func redirects() async throws {
        try await withMocks(
            for: Forge.self,
            [
                .get("status"): .redirect(to: "https://cdn.example/status"),
                .url("https://cdn.example/status"): .redirect(to: "https://forge.example/api/new"),
                .get("new"): .text("new"),
            ]
        ) {
            let response = try await Forge.status.load()
            #expect(response.string == "new")
            #expect(try Forge.sent().map(\.path) == ["/api/status", "/status", "/api/new"])
            #expect(try Forge.sent().map(\.name) == ["status", nil, nil])
        }
    }

    @Test("arrive late, slowly and cut off, on the clock of the interface")
    func timing() async throws {
        let clock = TestClock()
        let mocks = MockTransport(
            [
                .get("late"): .text("x").delayed(by: .seconds(60)), .get("cut"): .text("abcdef").cut(after: 3),
                .get("slow"): .text("0123456789").slow(bytesPerSecond: 10),
            ],
            clock: clock
        )
        let swifty = Swifty(transport: mocks) { $0.clock = clock }
        let base = BaseResource("https://x.example", networkInterface: swifty)
        let late = Task { try await base.get("late").load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(60))
        #expect(try await late.value.string == "x")
        let cut = await failure { try await base.get("cut").retry(1).load() }
        #expect(cut?.code == .connectionLost)
        #expect(cut?.sent == .responded)
        let parts = Recording<Data>()
        let slow = Task {
            for try await part in try await base.get("slow").stream() { parts.append(part) }
        }
        for second in 1...10 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(100))
            try await until { parts.count == second }
        }
        try await slow.value
        #expect(parts.values.reduce(Data(), +) == Data("0123456789".utf8))
        #expect(mocks.requests.count == 3)
        #expect(mocks.unused.isEmpty)
    }

    @Test("reach the time limits of their requests, and can be cancelled")
    func limits() async throws {
        let mocks = MockTransport([
            .get("late"): .text("x").delayed(by: .seconds(100_000)),
            .get("slow"): .text("0123").slow(bytesPerSecond: 1),
        ])
        let base = BaseResource("https://x.example", networkInterface: Swifty(transport: mocks))
        for limit in [NetworkRequest.Timeouts(total: .milliseconds(20)), .init(firstByte: .milliseconds(20))] {
            let resource = base.get("late").timeout(total: limit.total, firstByte: limit.firstByte).retry(1)
            let error = await failure { try await resource.load() }
            #expect(error?.code == .timedOut)
            #expect(error?.timeLimit == (limit.total == nil ? .firstByte : .total))
        }
        let slow = await failure { try await base.get("slow").timeout(idle: .milliseconds(20)).retry(1).load() }
        #expect(slow?.timeLimit == .idle)
        #expect(slow?.stage == .content)
        // On a busy machine a limit may have ended its load before the transport had the request.
        let count = mocks.requests.count
        let task = Task { try await base.get("late").load() }
        try await until { mocks.requests.count == count + 1 }
        task.cancel()
        let cancelled = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(cancelled?.code == .cancelled)
        await mocks.shutdown()
        #expect(await failure { try await base.get("late").load() }?.code == .shutdown)
    }

    @Test("of one service are different in each of a thousand parallel tests")
    func parallel() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    try await withMocks(for: Forge.self, [.get("status"): .sequence(.status(503), .text("\(number)"))])
                    {
                        let text = try await Forge.status.load().text()
                        #expect(text == "\(number)")
                        #expect(try Forge.sent().count == 2)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("may depend on the request")
    func dynamic() async throws {
        struct Refused: Error {}
        let echo = MockAnswer.respond { request in
            if request.query["fail"] != nil { throw Refused() }
            return .text(request.query["sort"] ?? "none", headers: ["X-Method": request.method])
        }
        try await withMocks(for: Forge.self, [.any: echo]) {
            let text = try await Forge.status.query(["sort": "a"]).load().text()
            #expect(text == "a")
            let error = await failure { try await Forge.status.query(["fail": 1]).retry(1).load() }
            #expect(error?.code == .connectionFailed)
            #expect(error?.underlying is Refused)
        }
    }
}
