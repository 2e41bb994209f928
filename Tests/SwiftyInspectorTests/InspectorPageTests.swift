// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyInspector
import SwiftySupport
import SwiftyTesting
import TestSupport
import Testing

@Suite("The page of an inspector", .timeLimit(.minutes(15)))
struct InspectorPageTests {
    private let inspector = Inspector()
    private let api: BaseResource

    init() {
        let inspector = inspector
        let swifty = Swifty(transport: StubTransport(content: "x")) { $0.use(inspector) }
        api = BaseResource("https://api.example.com", networkInterface: swifty)
    }

    /// The server of the page, and the token.
    private func serve() throws -> (page: BaseResource, token: String) {
        let parts = try inspector.serve().split(separator: "#")
        return (BaseResource(String(parts[0]), networkInterface: Swifty.shared), String(parts[1]))
    }

    @Test("shows changes and loads to the one who has the token")
    func changes() async throws {
        struct Changes: Decodable {
            struct Load: Decodable, Equatable {
                var number: Int
                var method: String
                var url: String
                var status: Int?
                var isEnded: Bool
            }

            var revision: Int
            var first: Int
            var loads: [Load]
        }
        let (page, token) = try serve()
        func changes(since revision: Int) async throws -> Changes {
            try await page.get("loads").query("since", revision).header(.authorization, "Bearer \(token)")
                .decode(Changes.self).load()
        }
        _ = try await api.get("a").load()
        await inspector.flush()
        let first = try await changes(since: -1)
        #expect(
            first.loads
                == [.init(number: 1, method: "GET", url: "https://api.example.com/a", status: 200, isEnded: true)]
        )
        #expect(try await changes(since: first.revision).loads.isEmpty)
        _ = try await api.get("b").load()
        await inspector.flush()
        #expect(try await changes(since: first.revision).loads.map(\.number) == [2])
        let detail = try await page.get("loads/2").header(.authorization, "Bearer \(token)").load()
        #expect(detail.string?.contains("attempt 1 begins") == true)
        let har = try await page.get("har").header(.authorization, "Bearer \(token)").load()
        #expect(har.data == inspector.har())
        _ = try await page.post("clear").header(.authorization, "Bearer \(token)").load()
        #expect(inspector.loads.isEmpty)
        #expect(try await changes(since: -1).first == 3)
        _ = try await page.post("pause").header(.authorization, "Bearer \(token)").load()
        #expect(inspector.isPaused)
        _ = try await page.post("resume").header(.authorization, "Bearer \(token)").load()
        #expect(!inspector.isPaused)
        await inspector.stop()
    }

    @Test("gives nothing without the token, or to a name that is not this machine's")
    func refused() async throws {
        let (page, token) = try serve()
        _ = try await api.get("canary").load()
        await inspector.flush()
        for path in ["loads", "loads/1", "har"] {
            for value in [nil, "Bearer x", token, "Bearer "] {
                let response = try await page.get("\(raw: path)").header(.authorization, value).validate(status: .any)
                    .load()
                #expect(response.statusCode == 401)
                #expect(response.string?.contains("canary") == false)
            }
        }
        let clear = try await page.post("clear").validate(status: .any).load()
        #expect(clear.statusCode == 401)
        #expect(inspector.loads.count == 1)
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example"] {
            let response = try await page.get("loads").header("Host", host).header(.authorization, "Bearer \(token)")
                .validate(status: .any).load()
            #expect(response.statusCode == 403)
        }
        for number in ["9", "0", "-1", "\(Int.min)", "\(Int.max)", "x"] {
            let missing = try await page.get("loads/\(raw: number)").header(.authorization, "Bearer \(token)")
                .validate(status: .any).load()
            #expect(missing.statusCode == 404)
        }
        await inspector.stop()
    }

    @Test("is one document, whose script and style alone may run, and no data")
    func document() async throws {
        let (page, _) = try serve()
        _ = try await api.get("canary").load()
        let response = try await page.get("").load()
        let html = try #require(response.string)
        #expect(response.contentType == "text/html; charset=utf-8")
        #expect(!html.contains("canary"))
        #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("src="))
        let policy = try #require(response.head?["Content-Security-Policy"])
        for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
            let start = try #require(html.range(of: "<\(tag)>")).upperBound
            let end = try #require(html.range(of: "</\(tag)>")).lowerBound
            let digest = Data(SHA256.hash(Array(html[start..<end].utf8))).base64EncodedString()
            #expect(policy.contains("\(directive) 'sha256-\(digest)'"))
        }
        #expect(policy.contains("default-src 'none'"))
        #expect(response.head?["Cache-Control"] == "no-store")
        await inspector.stop()
    }

    @Test("reads no content, whatever its token")
    func content() async throws {
        let (page, token) = try serve()
        for value in ["Bearer x", "Bearer \(token)"] {
            let response = try await page.post("pause").header(.authorization, value).data(Data("x".utf8))
                .validate(status: .any).load()
            #expect(response.statusCode == 413)
        }
        #expect(!inspector.isPaused)
        await inspector.stop()
    }

    @Test("is served once, also if several ask at the same time for one port")
    func simultaneous() async throws {
        for _ in 0..<20 {
            // Not one of those that the system gives to the connections of other tests.
            let port = UInt16.random(in: 20_000..<30_000)
            let urls = await withTaskGroup(of: String.self) { [inspector] group in
                for _ in 0..<8 { group.addTask { (try? inspector.serve(port: port)) ?? "failed" } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            // All fail if another program has the port.
            #expect(urls.count == 1)
            await inspector.stop()
        }
    }

    @Test("is served once, and ends when it is stopped")
    func stop() async throws {
        let url = try inspector.serve()
        #expect(try inspector.serve() == url)
        let (page, _) = try serve()
        await inspector.stop()
        await #expect(throws: SwiftyError.self) { try await page.get("").load() }
        #expect(try inspector.serve() != url)
        await inspector.stop()
    }
}
