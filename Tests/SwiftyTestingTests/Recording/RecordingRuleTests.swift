// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A recording", .timeLimit(.minutes(15)))
struct RecordingRuleTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let base: BaseResource

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
        base = BaseResource(server.url, networkInterface: Swifty())
    }

    private func failure<Value>(_ work: () async throws -> Value) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self) { _ = try await work() }
    }

    /// A file as another program writes it.
    private func write(_ entries: String, creator: String = "Firefox") throws {
        let log = #"{"log":{"version":"1.2","creator":{"name":"\#(creator)"},"entries":[\#(entries)]}}"#
        _ = try folder.file("c.har", log)
    }

    @Test("of Digest is replayed, although the proof of the server is for another random number")
    func digest() async throws {
        for _ in 0..<2 {
            try await withCassette(folder.path("c")) {
                let credentials = CredentialStore()
                try credentials.set(.digest(user: "user", password: "passwd"), for: server.url)
                let base = BaseResource(server.url, networkInterface: Swifty { $0.credentials = credentials })
                let response = try await base.get("digest-auth/auth/user/passwd").load()
                #expect(response.statusCode == 200)
            }
        }
        #expect(server.log.count == 2)
    }

    @Test("that has nothing complete is an error, and leaves the file as it was")
    func nothing() async throws {
        let cut = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close])
        let cutResource = BaseResource(cut.url, networkInterface: Swifty()).get("x")
        let first = await failure {
            try await withCassette(folder.path("c")) { _ = try? await cutResource.load() }
        }
        #expect(
            first?.reason == "nothing was recorded for the cassette \(folder.path("c.har")): "
                + "no response was read to its end"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.har")))
        try await withCassette(folder.path("c")) { try await base.get("ip").load() }
        let whole = try folder.data("c.har")
        let second = await failure {
            try await withCassette(folder.path("c"), mode: .all) { _ = try? await cutResource.load() }
        }
        #expect(second?.reason.hasSuffix("; the file stays as it was") == true)
        try await withCassette(folder.path("c"), mode: .all) {}
        #expect(try folder.data("c.har") == whole)
    }

    @Test("of a cancelled task is not written")
    func cancelled() async throws {
        let task = Task {
            try await withCassette(folder.path("c")) {
                try await base.get("ip").load()
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        try await task.value
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.har")))
        try await withCassette(folder.path("c")) { try await base.get("ip").load() }
        #expect(FileManager.default.fileExists(atPath: folder.path("c.har")))
    }

    @Test("that does not exist is named as such where nothing is sent")
    func missing() async throws {
        let error = await failure {
            try await withCassette(folder.path("c"), mode: .none) { try await base.get("ip").load() }
        }
        #expect(
            error?.reason == "there is no cassette \(folder.path("c.har")) with an answer to GET \(server.url)/ip; "
                + "SWIFTY_RECORD=once records it"
        )
        #expect(server.log.count == 0)
    }

    @Test("waits for no other one: two blocks that add to a file do not lose each other's answers")
    func locked() async throws {
        try await withCassette(folder.path("c")) { try await base.get("ip").load() }
        let (reached, goOn) = (Gate(), Gate())
        let first = Task {
            try await withCassette(folder.path("c"), mode: .new) {
                try await base.get("uuid").load()
                reached.open()
                await goOn.wait()
            }
        }
        await reached.wait()
        let second = await failure {
            try await withCassette(folder.path("c"), mode: .new) { try await base.get("headers").load() }
        }
        #expect(second?.code == .fileInUse)
        goOn.open()
        try await first.value
        try await withCassette(folder.path("c"), mode: .new) { try await base.get("headers").load() }
        #expect(try Cassette(contentsOf: folder.path("c.har")).count == 3)
    }

    @Test("of another program is replayed, and not added to")
    func foreign() async throws {
        try write(
            """
            {"request":{"method":"POST","url":"\(server.url)/login","headers":[],
              "postData":{"mimeType":"application/x-www-form-urlencoded",
                "params":[{"name":"n","value":null},{"name":"user","value":"a b"}]}},
             "response":{"status":200,"headers":[{"name":"Set-Cookie","value":"a=1; Path=/\\nb=2"},
                {"name":":status","value":"200"}],
              "content":{"mimeType":"text/plain","text":"in"}},"timings":{"send":-1}},
            {"request":{"method":"GET","url":"\(server.url)/image?access_token=canary"},
             "response":{"status":200,"content":{"size":5321,"mimeType":"image/png"}}},
            {"request":{"method":"GET","url":"\(server.url)/blocked?token=canary"},"response":{"status":0}}
            """
        )
        try await withCassette(folder.path("c")) {
            let response = try await base.post("login").fields(["user": "a b", "n": ""]).load()
            #expect(response.string == "in")
            #expect(response.head?.headers[values: .setCookie] == ["a=1; Path=/", "b=2"])
            let image = await failure { try await base.get("image").query(["access_token": "x"]).load() }
            #expect(
                image?.reason.contains("was stored without its content; record it again") == true,
                "\(image as Any)"
            )
            #expect(image?.reason.contains("canary") == false)
            let blocked = await failure { try await base.get("blocked").query(["token": "x"]).load() }
            let note = "1 entry was skipped: GET \(server.url)/blocked?token=REDACTED has no response"
            #expect(blocked?.reason.contains(note) == true, "\(blocked?.reason ?? "")")
        }
        let bytes = try folder.data("c.har")
        let error = await failure {
            try await withCassette(folder.path("c"), mode: .new) { try await base.get("ip").load() }
        }
        #expect(error?.reason.contains("was made by Firefox") == true)
        #expect(try folder.data("c.har") == bytes)
        #expect(server.log.count == 0)
    }

    @Test("keeps the limit of time of a failure, and the length of a response without content")
    func facts() async throws {
        let silent = try ScriptedServer([.readRequest, .stall])
        let cached = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"), .stall,
        ])
        for _ in 0..<2 {
            try await withCassette(folder.path("c")) {
                let late = await failure {
                    let resource = BaseResource(silent.url, networkInterface: Swifty()).post("x")
                    try await resource.timeout(idle: .milliseconds(200)).load()
                }
                #expect(late?.timeLimit == .idle, "\(late as Any)")
                let unchanged = try await BaseResource(cached.url, networkInterface: Swifty()).get("x")
                    .validate(status: [304]).load()
                #expect(unchanged.head?["Content-Length"] == "7")
            }
        }
        #expect(silent.log.count == 1)
    }

    @Test("does not send a request to another server than the network can")
    func reroutes() async throws {
        let network = StubTransport(status: 200)
        struct Plain: Transport {
            let network: StubTransport
            func send(
                _ request: NetworkRequest,
                cancellation: LoadCancellation
            ) async throws(SwiftyError) -> TransportResponse {
                try await network.send(request, cancellation: cancellation)
            }
            func shutdown() async {}
        }
        let (origin, staging) = (try TargetURI("http://api.test"), try TargetURI("http://staging.test"))
        let swifty = Swifty(transport: Plain(network: network)) {
            $0.reroutes = [origin: staging]
        }
        let error = await failure {
            try await withCassette(folder.path("c")) {
                try await BaseResource("http://api.test", networkInterface: swifty).get("x").load()
            }
        }
        #expect(error?.code == .invalidSettings, "\(error as Any)")
    }
}
