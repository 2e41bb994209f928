// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Content that is sent", .timeLimit(.minutes(15)))
struct UploadTests {
    private static let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    private func server() throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route("PUT", "/*") { _ in .status(204) }
            server.route("POST", "/*") { _ in .status(204) }
            server.route("POST", "/moved") { _ in .status(307, headers: [("Location", "/there")]) }
        }
    }

    private func shell(_ command: String, _ server: LoopbackServer, _ folder: TemporaryFolder) async throws -> Program {
        let text = "cd '\(folder.path)'; PATH='\(Program.products.path)':$PATH; \(command)"
        return try await Program.run("/bin/sh", ["-c", text.replacing("URL", with: server.url)])
    }

    /// The expectations of a command: the method, the target, the length and the media type of the last request.
    struct Case: CustomTestStringConvertible {
        let command: String
        let method: String
        let target: String
        var length: Int? = 3_000_000
        var type = "application/octet-stream"

        var testDescription: String { command }
    }

    @Test(
        "comes from a file or standard input, with a length if it is known",
        arguments: [
            Case(command: "swifty URL/a --data @large", method: "POST", target: "/a"),
            Case(command: "swifty -T large URL/a", method: "PUT", target: "/a"),
            Case(command: "swifty -T large URL/a/", method: "PUT", target: "/a/large"),
            Case(command: "swifty -X POST -T large URL/a", method: "POST", target: "/a"),
            Case(command: "swifty URL/a < large", method: "POST", target: "/a"),
            Case(command: "swifty -T - URL/a < large", method: "PUT", target: "/a"),
            Case(command: "cat large | swifty URL/a", method: "POST", target: "/a", length: nil),
            Case(command: "cat large | swifty -T - URL/a/", method: "PUT", target: "/a/", length: nil),
            Case(command: "cat large | swifty PUT URL/a --data @-", method: "PUT", target: "/a", length: nil),
            Case(
                command: "cat large | swifty URL/a --json",
                method: "POST",
                target: "/a",
                length: nil,
                type: "application/json"
            ),
        ]
    )
    func sources(test: Case) async throws {
        let server = try server()
        let folder = try TemporaryFolder()
        try folder.file("large", Self.large)
        let run = try await shell(test.command, server, folder)
        let sent = try #require(server.log.requests.last)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(sent.method == test.method)
        #expect(sent.target == test.target)
        #expect(sent["Content-Length"] == test.length.map { "\($0)" })
        #expect((sent["Transfer-Encoding"] == "chunked") == (test.length == nil))
        #expect(sent["Content-Type"] == test.type)
        #expect(sent.content == Self.large)
    }

    @Test("has a media type that is guessed from its beginning")
    func types() async throws {
        let server = try server()
        let folder = try TemporaryFolder()
        let item = #"{"a":"€"}"#
        let cases = [
            ("[\(Array(repeating: item, count: 200_000).joined(separator: ","))]", "application/json"),
            (String(repeating: item + "\n", count: 200_000), "text/plain; charset=utf-8"),
            ("x" + String(repeating: "€", count: 700_000), "text/plain; charset=utf-8"),
            ("x" + String(repeating: "\0", count: 2_000_000), "application/octet-stream"),
        ]
        for (content, type) in cases {
            try folder.file("large", Data(content.utf8))
            for command in ["cat large | swifty URL/a", "swifty URL/a < large"] {
                let run = try await shell(command, server, folder)
                #expect(run.status == 0, "\(run.errors)")
                #expect(server.log.requests.last?["Content-Type"] == type, "\(command)")
                #expect(server.log.requests.last?.content.count == content.utf8.count)
            }
        }
    }

    @Test("is sent before a pipe has ended")
    func live() async throws {
        let server = try ScriptedServer([.readHead, .readContent, .respond(200, content: "done")])
        let folder = try TemporaryFolder()
        let command = "(echo first; while [ ! -e go ]; do sleep 0.1; done; echo second) | swifty \(server.url)"
        let text = "cd '\(folder.path)'; PATH='\(Program.products.path)':$PATH; \(command)"
        async let run = Program.run("/bin/sh", ["-c", text])
        try await until { !server.log.requests.isEmpty }
        try folder.file("go")
        #expect(try await run.output == "done")
        #expect(server.log.requests.last.map { String(decoding: $0.content, as: UTF8.self) } == "first\nsecond\n")
    }

    @Test("is sent again after a redirect from a file, and from a pipe if it is small")
    func replay() async throws {
        let server = try server()
        let folder = try TemporaryFolder()
        try folder.file("large", Self.large)
        for command in ["swifty --follow URL/moved --data @large", "swifty --follow URL/moved < large"] {
            let run = try await shell(command, server, folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.log.requests.last?.target == "/there")
            #expect(server.log.requests.last?.content == Self.large)
        }
        #expect(try await shell("echo small | swifty --follow URL/moved", server, folder).status == 0)
        #expect(server.log.requests.last?.target == "/there")
        let piped = try await shell("cat large | swifty --follow URL/moved", server, folder)
        #expect(piped.status == 1, "\(piped.errors)")
        #expect(piped.errors.contains("contentNotReplayable"), "\(piped.errors)")
        #expect(piped.errors.contains("--data @FILE"), "\(piped.errors)")
    }

    @Test("is shown by --dry-run if it is small")
    func dryRun() async throws {
        let server = try server()
        let folder = try TemporaryFolder()
        try folder.file("large", Self.large)
        try folder.file("small.txt", "small content")
        let small = try await shell("swifty --dry-run -T small.txt URL/a", server, folder)
        #expect(small.output.hasSuffix("Content-Length: 13\n\nsmall content\n\n"), "\(small.output)")
        let large = try await shell("swifty --dry-run -T large URL/a", server, folder)
        #expect(large.output.hasSuffix("Content-Length: 3000000\n\n(3000000 bytes sent while it is read)\n\n"))
        let piped = try await shell("cat large | swifty --dry-run URL/a", server, folder)
        #expect(piped.output.contains("\nTransfer-Encoding: chunked\n"), "\(piped.output)")
        #expect(server.log.requests.isEmpty)
        let verbose = try await shell("swifty -v -T small.txt URL/a", server, folder)
        #expect(verbose.output.contains("\n\nsmall content\n\n"), "\(verbose.output)")
    }

    @Test(
        "is given once, and can be read",
        arguments: [
            ("swifty -T a --data b URL", "twice"), ("swifty -T a URL x=1", "twice"),
            ("echo x | swifty -T - URL --ignore-stdin", "contradict"), ("swifty -T missing URL/a", "missing"),
            ("echo '{\"url\":\"URL\"}' | swifty batch -T a", "batch"),
        ]
    )
    func mistakes(command: String, words: String) async throws {
        let server = try server()
        let run = try await shell(command, server, TemporaryFolder())
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(server.log.requests.isEmpty)
    }
}
