// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The first mistake", .timeLimit(.minutes(15)))
struct FirstMistakeTests {
    @Test(
        "is answered with what to do next, in one line that fits five lines of a terminal",
        arguments: [
            // A scheme.
            (["http:/a.test/x"], 64, "(Did you mean http://a.test/x?)"),
            (["https:a.test"], 64, "(Did you mean https://a.test?)"),
            (["htp://a.test/"], 64, "(Write https://HOST/PATH, or :3000/PATH"),
            // A URL.
            (["POST"], 64, "The URL is missing. (Write [METHOD] URL [ITEM…], as in POST :3000/users name=Ada.)"),
            (["bench"], 64, "The URL is missing. (Write [METHOD] URL"), (["name=Ada"], 64, "(Write [METHOD] URL"),
            (["gte", ":1/"], 64, "(Did you mean GET?)"),
            // A field.
            ([":1/", "Name"], 64, "(Write Header:value, query==value, field=text, field:=json or field@file.)"),
            ([":1/", "age:=abc"], 64, "(Use age=… for text, "),
            (["GET", ":1/", "page=2"], 64, "(page==… is a query parameter; --allow-content sends the content.)"),
            // A file.
            ([":1/", "f@no-such"], 64, "there is no such file (Is the path right? --data-raw TEXT"),
            ([":1/", "--data", "@no-such"], 64, "there is no such file (Is the path right? --data-raw TEXT"),
            ([":1/", "f=@no-such"], 64, "no-such cannot be read: there is no such file. (Is the path right?)"),
            ([":1/", "--config", "no-such"], 64, "there is no such file. (Is the path right?)"),
            (["batch", "no-such"], 64, "there is no such file. (Is the path right?)"),
            (["batch", "no-such/"], 64, "(Is the path right?)"), ([":1/", "f=@/"], 64, "it is a directory"),
            // An option or a subcommand.
            ([":1/", "--nosuch"], 64, "(See: swifty send --help)"),
            ([":1/", "--verbos"], 64, "Did you mean '--verbose'?"),
            ([":1/", "--timeout"], 64, "Missing value for '--timeout <SECONDS>' (See: swifty send --help)"),
            ([":1/", "--timeout", "5 parsecs"], 64, "(A number of seconds, or 500ms, 30s, 5m.)"),
            (["benhc", ":1/"], 64, "(Did you mean swifty bench?)"),
            (["help", "bnech"], 64, "(Did you mean swifty help bench?)"),
            (["help", "nonsense"], 64, "(swifty help lists the subcommands.)"),
            (["servr", "--port", "3000"], 64, "(Did you mean swifty serve?)"),
            // A server.
            (["127.0.0.1:1/x"], 7, "(Is a server listening there? swifty serve --port 3000 starts one for tests.)"),
            (["http://name.invalid/"], 7, "(Check the name and the network; --resolve HOST:PORT:ADDR sets "),
            (["http://127.0.0.1:1/", "--proxy", "http://127.0.0.1:1"], 7, "(Is the URL of --proxy right"),
        ] as [([String], Int32, String)]
    )
    func answers(arguments: [String], status: Int32, words: String) async throws {
        let run = try await Program.run("swifty", arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.hasPrefix("swifty: "))
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        // Lines are broken between words.
        #expect(run.errors.count < 4 * 80, "\(run.errors)")
    }

    @Test("of a certificate that is not trusted names the two ways on")
    func certificate() async throws {
        let server = try await PeerServer.nginx(try await Certificates())
        let run = try await Program.swifty(server.secureURL)
        #expect(run.status == 7)
        #expect(run.errors.contains("--ca FILE trusts another authority; --verify no skips the check (not safe)."))
        #expect(run.errors.count < 4 * 80, "\(run.errors)")
    }

    @Test("of a scheme for the wrong port names the other scheme")
    func plainPort() async throws {
        let server = try await PeerServer.nginx(files: [:]) { port, folder in
            "server { listen 127.0.0.1:\(port); root \(folder); }"
        }
        let secure = server.url.replacing("http://", with: "https://")
        let run = try await Program.swifty(secure)
        #expect(run.status == 7)
        #expect(run.errors.contains("write http:// before the host"), "\(run.errors)")
    }

    @Test("of no arguments gets a short page")
    func nothing() async throws {
        let run = try await Program.run("swifty", [])
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 12)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for words in ["swifty https://example.com/", "swifty help ", "swifty send --help "] {
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }
}
