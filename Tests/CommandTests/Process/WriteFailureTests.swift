// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Output that cannot be written", .timeLimit(.minutes(15)))
struct WriteFailureTests {
    /// Every way to print something; `URL` stands for the URL of a server.
    private static let printing = [
        "URL/ip", "--output json URL/ip", "-v URL/ip", "-m URL/ip", "-H URL/ip", "HEAD URL/ip", "-o - URL/ip",
        "--stream URL/ip",
        "-o FILE --output json URL/ip", "--dry-run URL/ip", "--curl URL/ip", "--output json http://127.0.0.1:1/",
        "bench -n 2 URL/ip", "bench -n 2 --output json URL/ip", "batch LINES", "import 'curl URL'", "version",
        "version --output json", "serve", "--help", "help", "send --help", "--version",
        "--generate-completion-script bash", "--generate-completion-script zsh", "--generate-completion-script fish",
        "--generate-manual",
    ]

    /// Runs a shell command in a new folder with a file of lines for `batch`.
    private func shell(_ command: String, _ server: LoopbackServer) async throws -> Program {
        let folder = try TemporaryFolder()
        let lines = try folder.file("lines", Data(#"{"url":"\#(server.url)/ip"}"#.utf8))
        let text =
            command.replacing("URL", with: server.url).replacing("LINES", with: lines.path)
            .replacing("FILE", with: folder.url.appending(path: "out").path)
        return try await Program.run("/bin/sh", ["-c", "PATH='\(Program.products.path)':$PATH; \(text)"])
    }

    @Test("is reported with status 23 for every kind of output")
    func fullDisk() async throws {
        let server = try LoopbackServer()
        for arguments in Self.printing {
            let run = try await shell("timeout 60 swifty \(arguments) > /dev/full", server)
            #expect(run.status == 23, "\(arguments): \(run.status) \(run.errors)")
            let line = "swifty: Standard output cannot be written: No space left on device."
            #expect(run.errors.hasSuffix("\(line)\n"), "\(arguments): \(run.errors)")
        }
    }

    @Test("ends the command by the signal, without a message, if the reader has closed the pipe")
    func closedPipe() async throws {
        let server = try LoopbackServer()
        // The reader ends before the command begins.
        let python = """
            import os, signal, subprocess, sys
            reader, writer = os.pipe()
            os.close(reader)
            run = subprocess.run(['/bin/sh', '-c', sys.argv[1]], stdout=writer, stderr=subprocess.PIPE)
            print(run.returncode, run.stderr.decode(), end='')
            """
        let text = python.split(separator: "\n").joined(separator: "\n")
        for arguments in Self.printing where !arguments.contains("127.0.0.1:1") {
            let script = try TemporaryFolder()
            let file = try script.file("script.py", Data(text.utf8))
            let run = try await shell("/usr/bin/python3 '\(file.path)' \"exec swifty \(arguments)\"", server)
            #expect(run.output == "-13 ", "\(arguments): \(run.output)")
        }
    }

    @Test("is also reported if standard output was closed, and never goes into a socket or a file instead")
    func closedOutput() async throws {
        let server = try LoopbackServer()
        let run = try await shell("swifty URL/ip >&-", server)
        #expect(run.status == 23)
        #expect(run.errors.contains("Bad file descriptor"))
        let silent = try await shell("swifty URL/status/404 >&- 2>&-", server)
        #expect(silent.status == 0, "nothing is to be printed, and nothing can be said")
        #expect(try await shell("swifty POST URL/anything <&-", server).status == 0)
        #expect(server.log.requests.map(\.method) == ["GET", "GET", "POST"])
    }

    @Test(
        "is also reported with status 23 for files",
        arguments: [
            ("-o /dev/full URL/ip", "No space left"), ("-o /no/folder/x URL/ip", "its folder does not exist"),
            ("-o /proc/x URL/ip", "cannot be written"),
            ("--cookies /no/x -L 'URL/cookies/set?a=1'", "its folder does not exist"),
        ]
    )
    func files(arguments: String, words: String) async throws {
        let server = try LoopbackServer()
        let run = try await shell("swifty \(arguments)", server)
        #expect(run.status == 23, "\(run.status) \(run.errors)")
        #expect(run.errors.contains("cannot be written"), "\(run.status) \(run.errors)")
        #expect(run.errors.contains(words), "\(run.status) \(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("is also reported beyond the largest size of a file that the process may write")
    func largestFile() async throws {
        let server = try LoopbackServer()
        for arguments in ["-o FILE URL/bytes/100000", "URL/bytes/100000 > FILE"] {
            let run = try await shell("ulimit -f 20; swifty \(arguments)", server)
            #expect(run.status == 23, "\(run.status) \(run.errors)")
            #expect(run.errors.contains("File too large"), "\(run.status) \(run.errors)")
        }
    }

    @Test("of certificates is reported with status 23")
    func certificates() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        for command in [[], ["bench", "-n", "1"]] {
            let arguments =
                command + ["--ca", certificates.path("ca.pem"), "--dump-certs", "/proc/none", server.secureURL]
            let run = try await Program.run("swifty", arguments)
            #expect(run.status == (command.isEmpty ? 23 : 64), "\(run.status) \(run.errors)")
        }
        let line = Data(#"{"url":"\#(server.secureURL)"}"#.utf8)
        let batch = ["batch", "--ca", certificates.path("ca.pem"), "--dump-certs", "/proc/none"]
        #expect(try await Program.run("swifty", batch, input: line).status == 23)
    }

    @Test("does not prevent other output, and the error of the load is also reported")
    func everythingElse() async throws {
        let server = try LoopbackServer()
        let jar = try TemporaryFolder().url.deletingLastPathComponent().appending(path: "jar-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: jar) }
        let run = try await shell("swifty --cookies \(jar) 'URL/cookies/set?a=1' --output json > /dev/full", server)
        #expect(run.status == 23)
        #expect(FileManager.default.fileExists(atPath: jar))
        try FileManager.default.removeItem(atPath: jar)
        let stream = try await shell("swifty --cookies \(jar) 'URL/cookies/set?a=1' --stream -v > /dev/full", server)
        #expect(stream.status == 23)
        #expect(FileManager.default.fileExists(atPath: jar))
        let failed = try await shell("swifty --output json http://127.0.0.1:1/ > /dev/full", server)
        #expect(failed.errors.contains("connectionFailed"))
        #expect(failed.errors.split(separator: "\n").count == 2)
    }

    @Test("ends a batch, which sends no more lines")
    func batch() async throws {
        let server = try LoopbackServer()
        let lines = String(repeating: #"{"url":"\#(server.url)/ip"}"# + "\n", count: 200)
        let file = try TemporaryFolder()
        let path = try file.file("lines", Data(lines.utf8)).path
        #expect(try await shell("swifty batch \(path) -c 1 > /dev/full", server).status == 23)
        #expect(server.log.requests.count < 10)
        let folder = try await shell("swifty batch /", server)
        #expect(folder.status == 64, "a folder has no lines")
        #expect(folder.errors.contains("Is a directory"), "a folder has no lines")
    }
}
