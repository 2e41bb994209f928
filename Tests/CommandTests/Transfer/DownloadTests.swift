// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Content that is saved", .timeLimit(.minutes(15)))
struct DownloadTests {
    /// The status, the names in the folder without those of the test, and the content of the file `f`.
    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func shell(_ command: String, in folder: TemporaryFolder) async throws -> Program {
        let path = "cd '\(folder.path)'; PATH='\(Program.products.path)':$PATH"
        return try await Program.run("/bin/sh", ["-c", "\(path); \(command)"])
    }

    @Test("goes to the file when it is complete, and is described in the JSON object")
    func success() async throws {
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer { server in
            server.route("GET", "/f") { _ in LoopbackResponse(status: 200, content: content) }
        }
        let folder = try TemporaryFolder()
        try folder.file("f", "old")
        let run = try await Program.swifty("-o", folder.path("f"), "--output", "json", "\(server.url)/f")
        let report = try run.json()
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.data("f") == content)
        #expect(try names(folder) == ["f"])
        #expect(report["body"] is NSNull)
        #expect(report["file"] as? String == folder.path("f"))
        #expect(report["bodyBytes"] as? Int == content.count)
        let sum = try await Program.run("/usr/bin/sha256sum", [folder.path("f")])
        #expect(sum.output.hasPrefix(try #require(report["sha256"] as? String)))
        let verbose = try await Program.swifty("-v", "-o", folder.path("f"), "\(server.url)/f")
        #expect(verbose.output.contains("\nGET /f HTTP/1.1\n"))
        #expect(verbose.output.contains("HTTP/1.1 200 OK\n"))
    }

    @Test("is not replaced by the content of an error, which is shown on standard error")
    func errors() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/e") { _ in .text("no such thing", status: 404) }
            server.route("GET", "/r") { _ in .status(302, headers: [("Location", "/e")]) }
        }
        let folder = try TemporaryFolder()
        try folder.file("f", "old")
        let run = try await shell("swifty -o f \(server.url)/e", in: folder)
        #expect(run.status == 4)
        #expect(run.output.isEmpty)
        #expect(run.errors == "no such thing\nswifty: GET \(server.url)/e returned 404 Not Found\n")
        #expect(try folder.data("f") == Data("old".utf8))
        #expect(try await shell("swifty -o f \(server.url)/r", in: folder).status == 3)
        let report = try await shell("swifty -d --output json \(server.url)/e", in: folder)
        #expect(try report.json()["body"] as? String == "no such thing")
        let head = try await shell("swifty HEAD -o g \(server.url)/ip", in: folder)
        #expect(head.status == 0, "HEAD has no content to save: \(head.errors)")
        #expect(try names(folder) == ["f"])
        let quiet = try await shell("swifty -q -o f \(server.url)/e", in: folder)
        #expect(quiet.errors.isEmpty)
        #expect(try folder.data("f") == Data("old".utf8))
    }

    @Test("includes that of errors with --save-errors")
    func savedErrors() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/e") { _ in .text("no such thing", status: 404) }
        }
        let folder = try TemporaryFolder()
        let named = try await shell("swifty -o f --save-errors \(server.url)/e", in: folder)
        #expect(named.status == 0)
        #expect(named.errors == "swifty: GET \(server.url)/e returned 404 Not Found\n")
        #expect(try await shell("swifty -d --save-errors \(server.url)/e", in: folder).status == 0)
        let checked = try await shell("swifty -d --save-errors --check-status \(server.url)/e", in: folder)
        #expect(checked.status == 4)
        #expect(try names(folder) == ["e", "e-1", "f"])
        #expect(try folder.data("e-1") == Data("no such thing".utf8))
    }

    @Test("gets a new name in a folder, which may be named")
    func folders() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let sub = folder.path("sub")
        try FileManager.default.createDirectory(atPath: sub, withIntermediateDirectories: false)
        let report = try await shell("swifty -o sub \(server.url)/ip --output json", in: folder)
        #expect(try report.json()["file"] as? String == "sub/ip")
        #expect(try await shell("swifty -o sub \(server.url)/ip", in: folder).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: sub).sorted() == ["ip", "ip-1"])
        #expect(
            try await shell("swifty -d \(server.url)/ip --output json", in: folder).json()["file"] as? String == "ip"
        )
    }

    @Test("goes directly to pipes, devices and standard output")
    func direct() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let pipe = try await shell("mkfifo p; cat p > f & swifty -o p \(server.url)/bytes/9000; wait", in: folder)
        #expect(pipe.status == 0, "\(pipe.errors)")
        #expect(try folder.data("f").count == 9_000)
        #expect(try names(folder) == ["f", "p"])
        for name in ["-", "/dev/stdout", "/dev/fd/1"] {
            let run = try await shell("swifty -o \(name) \(server.url)/bytes/9000 > out", in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.data("out").count == 9_000)
        }
        #expect(try await shell("swifty -o - \(server.url)/status/404", in: folder).status == 0)
        let refused = try await shell("swifty -C -o /dev/null \(server.url)/ip", in: folder)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("/dev/null is not one"))
        #expect(FileManager.default.fileExists(atPath: "/dev/stdout"))
    }

    @Test("may not be larger than --max-body", arguments: ["/bytes/1000", "/stream-bytes/1000"])
    func limit(path: String) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let run = try await shell("swifty --max-body 999 -o f \(server.url)\(path)", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("exceeds 999 bytes, the limit"), "\(run.errors)")
        #expect(try !names(folder).contains("f"))
        #expect(try await shell("swifty --max-body 1000 -o f \(server.url)\(path)", in: folder).status == 0)
    }

    @Test("is not kept if the connection breaks without a validator, and no file appears")
    func broken() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close,
        ])
        let folder = try TemporaryFolder()
        let run = try await shell("swifty -o f \(server.url)", in: folder)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors.contains("connectionLost"), "\(run.errors)")
        #expect(try names(folder).isEmpty)
    }

    @Test("is not loaded again with -C if the file is complete, in a folder neither")
    func complete() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
        let url = "\(server.url)/bytes/5000?seed=1"
        for place in ["f", "sub"] {
            let first = try await shell("swifty -C -o \(place) '\(url)'", in: folder)
            #expect(first.errors.isEmpty, "there was nothing to continue")
            let again = try await shell("swifty -C -o \(place) '\(url)'", in: folder)
            #expect(again.status == 0)
            #expect(again.errors == "swifty: 5000 bytes were there already: the file is complete\n")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("sub")) == ["5000"])
        // Other content of another size is loaded.
        let other = try await shell("swifty -C -o f \(server.url)/bytes/4000", in: folder)
        #expect(other.errors == "swifty: the download began anew\n")
        #expect(try folder.data("f").count == 4000)
    }
}

@Suite("A download that is interrupted", .timeLimit(.minutes(15)))
struct ContinuationTests {
    private static let partial = [("Content-Range", "bytes 4-9/10"), ("ETag", "\"1\"")]

    /// A server that stalls in the middle, and then has the rest or the whole.
    private func server() throws -> ScriptedServer {
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\n"
        return try ScriptedServer { connection in
            switch connection {
            // The second part makes that what has arrived is written.
            case 0: [.readRequest, .send("\(head)01"), .pause(.seconds(2)), .send("23"), .stall]
            case 1: [.readRequest, .respond(206, Self.partial, content: "456789")]
            default: [.readRequest, .respond(200, [("ETag", "\"1\"")], content: "0123456789")]
            }
        }
    }

    /// Begins a download, and interrupts it when four bytes are in the part.
    private func interrupted(_ server: ScriptedServer, _ folder: TemporaryFolder) async throws -> Program {
        let part = folder.path(".f.swiftypart")
        return try await Program.swifty("-o", folder.path("f"), server.url) {
            let size = try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int
            return size == 4
        }
    }

    @Test("says what it has kept, and continues there with -C")
    func continued() async throws {
        let server = try server()
        let folder = try TemporaryFolder()
        try folder.file("f", "old")
        let first = try await interrupted(server, folder)
        #expect(first.status == 130)
        #expect(first.errors.contains("swifty: 4 bytes are kept (-C continues the download.)\n"), "\(first.errors)")
        #expect(try folder.data("f") == Data("old".utf8))
        let second = try await Program.swifty("-C", "-o", folder.path("f"), server.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.errors == "swifty: 4 bytes were there already\n")
        #expect(try folder.data("f") == Data("0123456789".utf8))
        #expect(server.log.requests.last?["Range"] == "bytes=4-")
        #expect(server.log.requests.last?["If-Range"] == "\"1\"")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["f"])
    }

    @Test("begins anew without -C, and replaces the part")
    func anew() async throws {
        let server = try server()
        let folder = try TemporaryFolder()
        #expect(try await interrupted(server, folder).status == 130)
        // The second connection has only the rest.
        _ = try await Program.swifty("--output", "json", "\(server.url)/rest")
        let second = try await Program.swifty("-o", folder.path("f"), server.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(server.log.requests.last?["Range"] == nil)
        #expect(try folder.data("f") == Data("0123456789".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["f"])
        let third = try await Program.swifty("-C", "-o", folder.path("f"), server.url)
        #expect(third.errors == "swifty: 10 bytes were there already: the file is complete\n")
        #expect(try folder.data("f") == Data("0123456789".utf8))
    }
}
