// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A transport of mocks", .timeLimit(.minutes(15)))
struct MockTransportTests {
    private func base(_ transport: MockTransport) -> BaseResource {
        BaseResource("https://api.example/v1", networkInterface: Swifty(transport: transport))
    }

    private func failure<Value>(_ work: () async throws -> Value) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self) { _ = try await work() }
    }

    @Test("follows a redirect to another mock, by pattern and by file")
    func redirects() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("moved.txt", "at last")
        let transport = MockTransport(
            [.get("status"): .redirect(to: "/v1/new"), .get("new"): .text("x"), .get("old"): .redirect(to: "moved")],
            folder: folder.path
        )
        #expect(try await base(transport).get("status").load().string == "x")
        #expect(try await base(transport).get("old").load().string == "at last")
        #expect(transport.requests.map(\.path) == ["/v1/status", "/v1/new", "/v1/old", "/v1/moved"])
    }

    @Test("fills variables of templates and queries into files")
    func variables() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("users"), withIntermediateDirectories: true)
        _ = try folder.file("users/{user}.json", #"{"login": "{{user}}", "page": "{{query.page}}"}"#)
        let base = base(MockTransport([:], folder: folder.path))
        let response = try await base.get("users/{user}", ["user": "ada"]).query(["page": 2]).load()
        #expect(response.string == #"{"login": "ada", "page": "2"}"#)
    }

    @Test("answers HEAD from the file of GET, without taking its answers")
    func head() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("page.GET.http", "HTTP/1.1 200 OK\n\none\n###\nHTTP/1.1 200 OK\n\ntwo\n")
        let base = base(MockTransport([:], folder: folder.path))
        for text in ["one", "two"] {
            let head = try await base.head("page").load()
            #expect(head.statusCode == 200 && head.data?.isEmpty ?? true)
            #expect(try await base.get("page").load().string == text)
        }
        #expect(try await base.head("x").mock(data: Data("abc".utf8)).load().data?.isEmpty ?? true)
    }

    @Test("whose folder does not exist answers nothing, and says why")
    func missingFolder() async {
        let error = await failure {
            try await base(MockTransport([.any: .text("x")], folder: "/no/such")).get("x").load()
        }
        #expect(error?.reason == "the folder of mock files /no/such does not exist")
    }

    @Test("ends a load whose answer or content never comes")
    func hanging() async throws {
        let hasBegun = Gate()
        let stuck = MockTransport([
            .get("x"): .respond { _ in
                hasBegun.open()
                await untilCancelled()
                return .status(200)
            }
        ])
        let load = Task { try await base(stuck).get("x").load() }
        try await until { hasBegun.isOpen }
        load.cancel()
        #expect(await failure { try await load.value }?.code == .cancelled)
        for isCancelled in [true, false] {
            let isRead = Gate()
            let upload = Task {
                try await base(MockTransport([.post("x"): .status(200)])).post("x")
                    .stream { _ in
                        isRead.open()
                        await untilCancelled()
                    }
                    .timeout(total: isCancelled ? .seconds(300) : .milliseconds(100)).load()
            }
            if isCancelled {
                try await until { isRead.isOpen }
                upload.cancel()
            }
            #expect(await failure { try await upload.value }?.code == (isCancelled ? .cancelled : .timedOut))
        }
    }

    @Test("compares variables before the rest of a URL")
    func rest() async throws {
        let transport = MockTransport([
            .url("https://api.example/{version}/files/{rest*}"): .respond { .text("\($0.path)") }
        ])
        #expect(try await base(transport).get("files/a/b").load().string == "/v1/files/a/b")
        let other = await failure { try await base(transport).get("other/a").load() }
        #expect(other?.code == .mockUnavailable)
    }

    @Test("shows no secrets where a request does not match")
    func secrets() async throws {
        let transport = MockTransport([
            .post("login").json(["password": "x"]).header("Authorization", "Bearer canary").query(["token": "canary"]):
                .status(200)
        ])
        let error = await failure { try await base(transport).post("login").json(["password": "canary"]).load() }
        #expect(error?.reason.contains("$.password is another value") == true, "\(error as Any)")
        #expect(error?.reason.contains("canary") == false, "\(error as Any)")
    }

    @Test("keeps the total limit while its content is not read")
    func slowReader() async throws {
        let clock = TestClock()
        let swifty = Swifty(
            transport: MockTransport([.get("x"): .text("abcdefghij").slow(bytesPerSecond: 10)], clock: clock)
        ) {
            $0.clock = clock
        }
        let resource = BaseResource("https://api.example", networkInterface: swifty).get("x").timeout(
            total: .seconds(5)
        )
        let stream = try await resource.stream()
        await clock.advance(by: .seconds(10))
        let error = await failure {
            for try await _ in stream {}
        }
        #expect(error?.code == .timedOut, "\(error as Any)")
    }

    @Test("refuses a cut that is not within the content")
    func cut() async {
        let error = await failure {
            try await base(MockTransport([.get("x"): .text("abc").cut(after: 3)])).get("x").load()
        }
        #expect(error?.code == .mockUnavailable)
    }
}
