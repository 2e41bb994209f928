// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Standard input", .timeLimit(.minutes(15)))
struct InputTests {
    private func shell(_ command: String, _ server: LoopbackServer) async throws -> Program {
        let text = command.replacing("URL", with: "\(server.url)/anything")
        return try await Program.run("/bin/sh", ["-c", "PATH='\(Program.products.path)':$PATH; \(text)"])
    }

    /// The expectations of a command: the method and the content of the last request, and whether there is a warning.
    struct Case: CustomTestStringConvertible {
        let command: String
        let method: String
        let content: String
        let warning: Bool

        init(_ command: String, _ method: String, _ content: String, warning: Bool = false) {
            self.command = command
            self.method = method
            self.content = content
            self.warning = warning
        }

        var testDescription: String { command }
    }

    @Test(
        "is the content if it is a pipe or a file, and is never omitted without a warning",
        arguments: [
            Case("echo '{\"a\":1}' | swifty URL", "POST", "{\"a\":1}\n"),
            Case("printf abc > FILE; swifty URL < FILE", "POST", "abc"),
            Case("echo x | swifty PUT URL", "PUT", "x\n"), Case("echo x | swifty patch URL", "PATCH", "x\n"),
            Case("echo x | swifty URL X-A:1 q==1", "POST", "x\n"), Case("echo x | swifty URL -", "POST", "x\n"),
            Case("echo x | swifty DELETE URL -", "DELETE", "x\n"),
            Case("(sleep 0.2; echo x) | swifty URL", "POST", "x\n"),
            // Connected by other programs: cron's empty pipe, the device of services, a closed descriptor.
            Case("true | swifty URL", "GET", ""), Case("swifty URL < /dev/null", "GET", ""),
            Case("swifty URL <&-", "GET", ""), Case(": > FILE; swifty URL < FILE", "GET", ""),
            Case("true | swifty POST URL", "POST", ""), Case("true | swifty URL a=1", "POST", #"{"a":"1"}"#),
            // With --ignore-stdin.
            Case("echo x | swifty --ignore-stdin URL", "GET", ""),
            Case("echo x | swifty --ignore-stdin POST URL", "POST", ""),
            // Left unread, with a warning.
            Case("echo x | swifty URL a=1", "POST", #"{"a":"1"}"#, warning: true),
            Case("echo x | swifty GET URL", "GET", "", warning: true),
            Case("echo x | swifty DELETE URL", "DELETE", "", warning: true),
            Case("echo x | swifty URL --data y", "POST", "y", warning: true),
            Case("printf abc > FILE; swifty -X GET URL < FILE", "GET", "", warning: true),
            Case("echo x | swifty -q URL a=1", "POST", #"{"a":"1"}"#),
            // The list of a loop belongs to the loop.
            Case("printf '1\\n2\\n' > FILE; while read n; do swifty URL/$n; done < FILE", "GET", ""),
            Case("printf '1\\n2\\n' > FILE; while read n; do swifty URL/$n n=$n; done < FILE", "POST", #"{"n":"2"}"#),
            Case("printf '1\\n2\\n' > FILE; (read n; swifty POST URL) < FILE", "POST", "", warning: true),
            Case("printf '1\\n2\\n' > FILE; (read n; swifty POST URL -) < FILE", "POST", "2\n"),
        ]
    )
    func content(of test: Case) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "file").path
        let run = try await shell(test.command.replacing("FILE", with: "'\(file)'"), server)
        let sent = try #require(server.log.requests.last)
        #expect(run.status == 0, "\(sent.method) \(run.errors)")
        #expect(sent.method == test.method, "\(sent.method) \(run.errors)")
        #expect(String(decoding: sent.content, as: UTF8.self) == test.content)
        #expect(run.errors.contains("standard input was not sent") == test.warning, "\(run.errors)")
        #expect(test.warning || run.errors.isEmpty, "\(run.errors)")
        if test.command.contains("while read") { #expect(server.log.requests.count == 2) }
    }

    @Test("that stays open and silent is awaited, with a message")
    func silent() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let script = """
            cd '\(folder.url.path)'; mkfifo pipe; : > errors
            swifty URL < pipe 2> errors & exec 3> pipe
            for try in $(seq 600); do grep -q . errors && break; sleep 0.1; done
            echo x >&3; exec 3>&-; wait; cat errors >&2
            """
        let run = try await shell(script, server)
        #expect(run.errors.contains("waiting for standard input"))
        #expect(run.errors.contains("--ignore-stdin"))
        #expect(server.log.requests.last.map { String(decoding: $0.content, as: UTF8.self) } == "x\n")
    }

    @Test("that is a socket, as children of Node.js have it, is read only if requested")
    func socket() async throws {
        let server = try LoopbackServer()
        let python = """
            import socket, subprocess, sys
            for data, words in [(b'', []), (b'x', []), (b'x', ['-'])]:
                near, far = socket.socketpair()
                near.sendall(data)
                if words: near.shutdown(socket.SHUT_WR)
                run = subprocess.run([sys.argv[1], sys.argv[2]] + words, stdin=far, capture_output=True)
                print(run.returncode, 'not sent' in run.stderr.decode())
            """
        let swifty = Program.products.appending(path: "swifty").path
        let run = try await Program.run("/usr/bin/python3", ["-c", python, swifty, "\(server.url)/anything"])
        #expect(run.output == "0 False\n0 True\n0 False\n", "\(run.output)\(run.errors)")
        #expect(server.log.requests.map(\.method) == ["GET", "GET", "POST"])
    }

    @Test("that cannot be read, or contradicts the options, is an error")
    func mistakes() async throws {
        let server = try LoopbackServer()
        let folder = try await shell("swifty URL - < /", server)
        #expect(folder.status == 64, "\(folder.errors)")
        #expect(folder.errors.contains("Is a directory"), "\(folder.errors)")
        #expect(try await shell("echo x | swifty URL - --ignore-stdin", server).status == 64)
        #expect(try await shell("echo x | swifty URL - a=1", server).status == 64)
        #expect(server.log.requests.isEmpty)
    }

    @Test("is named in the hint if the server rejects the content")
    func hint() async throws {
        let server = try LoopbackServer()
        let run = try await Program.run("swifty", ["\(server.url)/status/405"], input: Data("x".utf8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("--ignore-stdin"), "\(run.errors)")
    }

    @Test("is the content of every load of a measurement")
    func bench() async throws {
        let server = try LoopbackServer()
        let arguments = ["bench", "-n", "3", "\(server.url)/post"]
        let run = try await Program.run("swifty", arguments, input: Data("x".utf8))
        #expect(run.status == 0)
        #expect(server.log.requests.allSatisfy { $0.method == "POST" })
        #expect(server.log.requests.allSatisfy { $0.content == Data("x".utf8) })
    }
}
