// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

@Suite("NetworkResource(curl:)", .timeLimit(.minutes(15)))
struct CURLResourceTests {
    /// The facts of a request that two programs are compared by.
    private static func facts(_ request: RecordedRequest?) -> [String] {
        guard let request else { return [] }
        let names = [
            "Content-Type", "Content-Length", "Accept", "Authorization", "Cookie", "Referer", "Range", "User-Agent",
            "X-A",
            "X-B", "Host",
        ]
        // A request without content may say so; each form has its own boundary; the programs name themselves.
        let fields = names.map { name in
            let value = request[name] ?? (name == "Content-Length" ? "0" : "-")
            let isOwn = ["Swifty", "curl"].contains { value.hasPrefix($0) }
            return "\(name): \(isOwn ? "program" : value.replacing(/boundary=.*/, with: "boundary"))"
        }
        let isForm = request["Content-Type"]?.hasPrefix("multipart") ?? false
        let content = isForm ? "" : String(decoding: request.content, as: UTF8.self)
        let compared = isForm ? fields.filter { !$0.contains("Length") } : fields
        return ["\(request.method) \(request.target)"] + compared + [content]
    }

    @Test(
        "sends what curl sends",
        arguments: [
            "", "-sS -L --compressed", "-X PUT", "-X DELETE", "-I", "-d a=1", "-d a=1 -d 'b=x y'",
            #"-d '{"a":1}' -H 'Content-Type: application/json'"#, "-d ''", "--data-raw @x", "--data-binary @FILE",
            "--data-binary $'\\xff\\x01'", "--data-urlencode 'a=x&z'", #"--json '{"a":1}'"#, "--json '{' --json '}'",
            "-G -d a=1 -d b=2", "-X GET -d {}", "-H 'X-A: 1' -HX-B:2", "-H 'X-A;'", "-H Accept: -A ''",
            "-H 'Accept: a/b'",
            "-H 'Host: other.test'", "-u ada:pass", "-u a:b -H 'Authorization: x'", "-b 'a=1; b=2'",
            "-e http://r.test/",
            "-A me", "-r 0-9", "-T FILE", "--oauth2-bearer tok", "--url-query q=x", "-d a=1 -H Content-Type:",
            "-F a=1",
            "-H \"X-A: it's \\\"q\\\" \\$5\"", "-H $'X-A: \\u00fc'", "-b a=1 -H 'Cookie: c=2'",
            "-A x -H 'User-Agent: y'",
        ]
    )
    func equal(options: String) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let file = try folder.file("f.txt", Data("one two".utf8)).path
        let command = "curl -o /dev/null \(options.replacing("FILE", with: file)) '\(server.url)/anything?p=1'"
        try await Program.require("bash", ["-c", "\(command) -s"])
        let expected = Self.facts(server.log.requests.last)
        server.log.clear()
        _ = try await NetworkResource(curl: command).validate(status: .any).load()
        #expect(Self.facts(server.log.requests.last) == expected)
    }

    @Test("sends forms with files")
    func forms() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let file = try folder.file("f.txt", Data("one".utf8)).path
        let command = "curl -F a=1 -F 'f=@\(file);filename=g.txt' --form-string 'c=@d' \(server.url)/post"
        let echo = try #require(try await NetworkResource(curl: command).load().json() as? [String: Any])
        #expect(echo["form"] as? [String: String] == ["a": "1", "c": "@d"])
        #expect(echo["files"] as? [String: String] == ["f": "one"])
    }

    @Test("has the credentials for Digest and the limit of the content")
    func settings() async throws {
        let server = try LoopbackServer()
        let swifty = Swifty()
        let url = "\(server.url)/digest-auth/auth/u/p"
        let digest = NetworkResource(curl: "curl --digest -u u:p \(url)", networkInterface: swifty)
        #expect(try await digest.load().statusCode == 200)
        let limited = NetworkResource(curl: "curl --max-filesize 9 \(server.url)/bytes/10", networkInterface: swifty)
        await #expect(throws: SwiftyError.self) { try await limited.load() }
        #expect(try await limited.copy().contentLimit(10).load().data?.count == 10)
    }

    @Test("throws at load what is wrong, sends nothing, and shows no secret")
    func errors() async throws {
        let stub = StubTransport(status: 200)
        let swifty = Swifty(transport: stub)
        for command in ["curl -k https://a.test -H 'X: canary'", "curl -H \"X: $canary\" a.test", "wget canary"] {
            let error = await #expect(throws: SwiftyError.self) {
                try await NetworkResource(curl: command, networkInterface: swifty).load()
            }
            #expect(error?.code == .requestRefused)
            #expect(error?.sent == .notSent)
            #expect(!"\(error as Any)".contains("canary"))
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("is changed, mocked and named like any other request")
    func modifiers() async throws {
        let stub = StubTransport(status: 200)
        let resource = NetworkResource(curl: "curl -d a=1 a.test/x?b=2", networkInterface: Swifty(transport: stub))
        try await resource.query("c", 3).header("X-A", "1").load()
        #expect(stub.requests.map(\.target.string) == ["http://a.test/x?b=2&c=3"])
        #expect(try await resource.mock(data: Data("mocked".utf8)).load().string == "mocked")
        #expect(stub.requests.count == 1)
        let changed = NetworkResourceWithBody(curl: "curl -X PUT a.test", networkInterface: Swifty(transport: stub))
        try await changed.text("a").load()
        #expect(stub.requests.last?.method == .put)
    }
}
