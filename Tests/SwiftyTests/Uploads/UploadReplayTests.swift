// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing
@_spi(Interface) import WebServiceDSL

@Suite("An upload that must be sent again", .timeLimit(.minutes(15)))
struct UploadReplayTests {
    enum Kind: CaseIterable {
        case file, sequence, writer, multipart, compressed
    }

    private let folder: TemporaryFolder
    private let path: String
    private let content = String(repeating: "0123456789", count: 40_000)

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.file("a.bin", content).path
    }

    private func put(_ kind: Kind, _ resource: NetworkResourceWithBody) -> NetworkResourceWithBody {
        let content = content
        switch kind {
        case .file: return resource.file(path)
        case .sequence:
            return resource.stream {
                AsyncStream {
                    $0.yield(Data(content.utf8))
                    $0.finish()
                }
            }
        case .writer: return resource.stream { writer in try await writer.write(content) }
        case .multipart: return resource.multipart(name: "f", file: path)
        case .compressed: return resource.file(path).compressed()
        }
    }

    private func once(_ resource: NetworkResourceWithBody) -> [NetworkResourceWithBody] {
        let content = content
        return [
            resource.copy().stream(isReplayable: false) {
                AsyncStream {
                    $0.yield(Data(content.utf8))
                    $0.finish()
                }
            },
            resource.copy().stream(isReplayable: false) { writer in try await writer.write(content) },
        ]
    }

    /// Whether all requests with content have the same, and as many bytes as expected.
    private func expectSame(_ requests: [RecordedRequest], _ kind: Kind, count: Int) {
        #expect(requests.count == count)
        #expect(Set(requests.map(\.content)).count == 1)
        let size = requests.first?.content.count ?? 0
        #expect(kind == .compressed ? size > 0 && size < 100_000 : size >= content.utf8.count)
    }

    @Test("after 307 and 308 goes to the next URL from its beginning", arguments: Kind.allCases, [307, 308])
    func redirects(kind: Kind, status: Int) async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/old") { _ in .status(status).header("Location", "/anything") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let response = try await put(kind, base.put("old")).load()
        #expect(response.metrics.redirects.map(\.statusCode) == [status])
        #expect(server.log.requests.map(\.path) == ["/old", "/anything"])
        expectSame(server.log.requests, kind, count: 2)
    }

    @Test("after 303 is not sent, since the next request is a GET")
    func seeOther() async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/old") { _ in .status(303).header("Location", "/get") }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        for resource in once(base.put("old")) { _ = try await resource.load() }
        #expect(server.log.requests.map(\.method) == ["PUT", "GET", "PUT", "GET"])
        #expect(server.log.requests(path: "/get").allSatisfy { $0.content.isEmpty && $0["Content-Type"] == nil })
    }

    @Test("after 401 is sent with credentials", arguments: Kind.allCases)
    func challenge(kind: Kind) async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/private") { request in
                request["Authorization"] == nil
                    ? .status(401).header("WWW-Authenticate", "Basic realm=r") : .text("welcome")
            }
        }
        let credentials = CredentialStore()
        try credentials.set(.basic(user: "a", password: "b", allowsCleartext: true), for: server.url)
        let swifty = Swifty {
            $0.credentials = credentials
            $0.use(Allowing())
        }
        let base = BaseResource(server.url, networkInterface: swifty)
        #expect(try await put(kind, base.put("private")).load().string == "welcome")
        expectSame(server.log.requests, kind, count: 2)
        for resource in once(base.put("private")) {
            // Without what the first load has learned.
            let swifty = Swifty { $0.use(Allowing()) }
            let error = await loadFailure(NetworkResource.make(of: resource.draft, networkInterface: swifty))
            #expect(error?.code == .contentNotReplayable)
            #expect(error?.statusCode == 401)
        }
    }

    @Test("after 503 is read again by the next attempt", arguments: Kind.allCases)
    func retries(kind: Kind) async throws {
        let calls = Counter()
        let server = try LoopbackServer { server in
            server.route("PUT", "/busy") { _ in calls.increment() % 3 == 0 ? .text("done") : .status(503) }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let resource = put(kind, base.put("busy")).retry(RetryPolicy(maximumAttempts: 3, backoff: .none))
        for load in 1...2 {
            #expect(try await resource.load().string == "done")
            expectSame(server.log.requests, kind, count: 3 * load)
        }
    }

    @Test("after 307, and can be read only once, fails with the reason and the response")
    func redirectOnce() async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/old") { _ in .status(307).header("Location", "/anything") }
        }
        for resource in once(BaseResource(server.url, networkInterface: Swifty()).put("old")) {
            let error = await loadFailure(resource)
            #expect(error?.code == .contentNotReplayable)
            #expect(error?.reason.contains("read only once") == true)
            #expect(error?.statusCode == 307)
        }
        #expect(server.log.count == 2)
        #expect(server.log.requests.allSatisfy { $0.text == content })
    }

    @Test("after 503, and can be read only once, ends with the 503, unless the policy changes the content")
    func retryOnce() async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/busy") { $0.text == "other" ? .text("done") : .status(503) }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let asked = Counter()
        let again = RetryPolicy(maximumAttempts: 3, backoff: .none) { context in
            if case .stop = context.proposal { asked.increment() }
            return .retry(after: .zero)
        }
        for policy in [RetryPolicy(maximumAttempts: 3, backoff: .none), again] {
            for resource in once(base.put("busy")) {
                let error = await loadFailure(resource.retry(policy))
                #expect(error?.code == .unacceptableStatus)
                #expect(error?.statusCode == 503)
                #expect(error?.attempts.count == 1)
            }
        }
        #expect(asked.value == 2)
        #expect(server.log.count == 4)
        let change = RetryPolicy(backoff: .none) { _ in
            .retry(after: .zero) { ($0 as? NetworkResourceWithBody)?.text("other") }
        }
        #expect(try await once(base.put("busy"))[0].retry(change).load().string == "done")
    }

    @Test("because its kept connection was dead arrives whole on another", arguments: Kind.allCases)
    func deadConnection(kind: Kind) async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .respond(200), .readHead, .skip(100), .reset]
                : [.readRequest, .respond(200, content: "second")]
        }
        let base = BaseResource(server.url, networkInterface: onOneLoop())
        _ = try await base.get("first").load()
        let response = try await put(kind, base.put("x")).load()
        #expect(response.string == "second")
        #expect(server.log.requests.map(\.connection) == [0, 0, 1])
        let whole = try #require(server.log.last)
        expectSame([whole], kind, count: 1)
    }

    @Test("because its kept connection was dead, and can be read only once, fails")
    func deadConnectionOnce() async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .respond(200), .readHead, .skip(100), .reset] : [.readRequest, .respond(200)]
        }
        let base = BaseResource(server.url, networkInterface: onOneLoop())
        _ = try await base.get("first").load()
        let error = await loadFailure(once(base.put("x"))[1])
        #expect(error?.code == .connectionLost)
        #expect(server.log.count == 2)
    }
}

/// Answers each challenge with the same credential.
private struct Allowing: AuthenticationChallenge.Handler {
    func respond(to challenge: AuthenticationChallenge) async throws -> AuthenticationChallenge.Disposition {
        .use(.basic(user: "a", password: "b", allowsCleartext: true))
    }
}
