// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Cookies: jars at work", .timeLimit(.minutes(15)))
struct CookieJarTests {
    /// Does the work of the pipeline, one request at a time.
    struct CookieTransport: Transport {
        let carrier: any Transport
        let jar: CookieJar

        func send(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> TransportResponse {
            var request = request
            jar.attach(to: &request)
            let answer = try await carrier.send(request, cancellation: cancellation)
            jar.store(from: answer.head, of: request.target)
            return answer
        }

        func shutdown() async { await carrier.shutdown() }
    }

    struct Seen: Decodable, Sendable {
        let cookies: [String: String]
    }

    @Test("a server gets the cookies that it has set, and not those that it has deleted")
    func endToEnd() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/seen") { .text($0.values(of: "Cookie").joined(separator: "|")) }
        }
        let swifty = Swifty(transport: CookieTransport(carrier: CurlTransport(), jar: CookieJar()))
        let api = swifty.api(server)
        _ = try await api.get("cookies/set").query(["a": "1", "b": "2"]).redirects(.none).validate(status: [302]).load()
        #expect(try await api.get("cookies").decode(Seen.self).load().cookies == ["a": "1", "b": "2"])
        #expect(try await api.get("seen").load().string == "a=1; b=2")
        #expect(try await api.get("seen").header(.cookie, "b=own").load().string == "b=own; a=1")
        _ = try await api.get("cookies/delete").query(["a": ""]).redirects(.none).validate(status: [302]).load()
        #expect(try await api.get("cookies").decode(Seen.self).load().cookies == ["b": "2"])
        await swifty.shutdown()
        await server.stop()
    }

    @Test("two jars share nothing in a thousand simultaneous loads")
    func isolation() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/set/{name}") { request in
                let name = request.pathVariables["name"] ?? ""
                let seen = request.values(of: "Cookie").joined()
                return .text(seen).header("Set-Cookie", "owner=\(name); Path=/")
            }
        }
        let jars = [CookieJar(), CookieJar()]
        let carrier = CurlTransport()
        let interfaces = jars.map { Swifty(transport: CookieTransport(carrier: carrier, jar: $0)) }
        // The first loads find empty jars, all others the cookies that those have set.
        let first = try await load(50, from: server, with: interfaces)
        let seen = try await load(1000, from: server, with: interfaces)
        #expect(first.allSatisfy { $0.cookie.isEmpty || $0.cookie == "owner=\($0.owner)" })
        #expect(seen.count == 1000)
        #expect(seen.allSatisfy { $0.cookie == "owner=\($0.owner)" })
        #expect(jars.map { $0.allCookies.map(\.value) } == [["0"], ["1"]])
        await carrier.shutdown()
        await server.stop()
    }

    /// Makes this number of simultaneous loads, through the interfaces in turn.
    private func load(
        _ count: Int,
        from server: LoopbackServer,
        with interfaces: [Swifty]
    ) async throws -> [(owner: Int, cookie: String)] {
        try await withThrowingTaskGroup(of: (owner: Int, cookie: String).self) { group in
            for index in 0..<count {
                let owner = index % 2
                group.addTask { (owner, try await interfaces[owner].api(server).get("set/\(owner)").load().text()) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("one jar takes simultaneous changes from several threads")
    func concurrency() async throws {
        let jar = CookieJar(publicSuffixes: .sample)
        await withTaskGroup { group in
            for index in 0..<100 {
                group.addTask {
                    for round in 0..<20 {
                        try? jar.receive(["k\(round)=v"], from: "http://h\(index).shop\(index % 9).test/")
                        _ = try? jar.sent(to: "http://h\(index).shop\(index % 9).test/")
                        if round % 7 == 0 { jar.removeExpired() }
                    }
                }
            }
        }
        #expect(jar.allCookies.count == 9 * 180)
    }

    @Test("a request to a host without cookies is unchanged")
    func nothingToSend() throws {
        let jar = CookieJar(publicSuffixes: .sample)
        #expect(try jar.sent(to: "http://shop.test/") == "")
        try jar.receive(["k=v"], from: "http://other.test/")
        var request = NetworkRequest(target: try TargetURI("http://shop.test/"))
        jar.attach(to: &request)
        #expect(request.headers.isEmpty)
    }

    @Test("values never appear in printed text")
    func secrets() throws {
        let jar = CookieJar(publicSuffixes: .sample)
        try jar.receive(["sid=canary; Secure; HttpOnly; SameSite=Lax", "=canary"], from: "https://shop.test/")
        let cookies = try jar.cookies(for: TargetURI("https://shop.test/"))
        #expect(cookies.map(\.value) == ["canary", "canary"])
        var printed = "\(jar) \(cookies) \(String(reflecting: cookies)) \(String(describing: cookies.first))"
        dump(jar, to: &printed)
        dump(cookies, to: &printed)
        #expect(!printed.contains("canary"))
        #expect(cookies.first?.description == "sid=REDACTED; Host=shop.test; Path=/; Secure; HttpOnly; SameSite=Lax")
    }

    @Test("curl reads the file of a jar and sends its cookies, and a jar reads curl's file")
    func curlFiles() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/seen") { .text($0.values(of: "Cookie").joined(separator: "|")) }
        }
        let folder = try TemporaryFolder()
        let jar = try CookieJar(file: folder.cookieFile)
        try jar.receive(
            ["a=1; Path=/; HttpOnly; SameSite=Lax", "b=2; Max-Age=600", "c=3; Path=/elsewhere", "=nameless", "t=x\ty"],
            from: server.url + "/"
        )
        try jar.save()
        let seen = try await Program.require("curl", ["--silent", "--cookie", folder.cookieFile, server.url + "/seen"])
            .output
        #expect(Set(seen.split(separator: "; ")) == ["a=1", "b=2"])
        let theirs = folder.path("curl.txt")
        try await Program.require("curl", ["--silent", "--cookie-jar", theirs, server.url + "/cookies/set?x=9&y=8"])
        let sent = try CookieJar(file: theirs).sent(to: server.url + "/")
        #expect(Set(sent.split(separator: "; ")) == ["x=9", "y=8"])
        await server.stop()
    }
}

extension Swifty {
    fileprivate func api(_ server: LoopbackServer) -> BaseResource {
        BaseResource(server.url, networkInterface: self)
    }
}
