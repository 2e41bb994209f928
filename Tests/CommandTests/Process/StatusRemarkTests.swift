// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("An error response", .timeLimit(.minutes(15)))
struct StatusRemarkTests {
    @Test(
        "is reported in one line on standard error if standard output is a pipe",
        arguments: [
            (["/status/404"], 0, "returned 404 Not Found"), (["/status/500", "--output", "json"], 0, "500"),
            (["/status/404", "--check-status"], 4, "404 Not Found"), (["/status/503", "--check-status"], 5, "503"),
            (["/status/304", "--check-status"], 3, "304 Not Modified"), (["/status/304"], 0, ""),
            (["/status/204", "--check-status"], 0, ""), (["/status/404", "-q"], 0, ""), (["/status/404", "-s"], 0, ""),
            (["/status/404", "--check-status", "--quiet"], 4, ""), (["/status/404", "-sS"], 0, "404"),
            (["/status/404", "-o", "/dev/null"], 4, "404"),
            (["/status/404", "-o", "/dev/null", "--save-errors"], 0, "404"), (["/status/404", "-v"], 0, "404"),
            (["/redirect/1"], 0, "302 Found (--follow loads what it redirects to.)"), (["/redirect/1", "-L"], 0, ""),
            (["/redirect/1", "-H"], 0, ""), (["/status/404?token=geheim"], 0, "token=REDACTED"),
        ] as [([String], Int32, String)]
    )
    func pipe(arguments: [String], status: Int32, words: String) async throws {
        let server = try LoopbackServer()
        let run = try await Program.run("swifty", [server.url + arguments[0]] + arguments.dropFirst())
        #expect(run.status == status, "\(run.errors)")
        if words.isEmpty { return #expect(run.errors.isEmpty, "\(run.errors)") }
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(run.errors.hasPrefix("swifty: GET \(server.url)"))
    }

    @Test("among many responses is counted in one line", arguments: ["bench", "batch"])
    func many(subcommand: String) async throws {
        let server = try LoopbackServer()
        let lines = Data(String(repeating: "{\"url\":\"\(server.url)/status/503\"}\n", count: 3).utf8)
        let measured = subcommand == "bench" ? ["-n", "3", "--ignore-stdin", "\(server.url)/status/503"] : []
        let plain = try await Program.run("swifty", [subcommand] + measured, input: lines)
        #expect(plain.status == 0, "\(plain.errors)")
        #expect(plain.errors == "swifty: 3 of 3 responses: 503 × 3\n", "\(plain.errors)")
        let checked = try await Program.run("swifty", [subcommand, "--check-status"] + measured, input: lines)
        #expect(checked.status == 5, "\(checked.status) \(checked.errors)")
        #expect(checked.errors.contains("503 × 3"), "\(checked.status) \(checked.errors)")
        let quiet = try await Program.run("swifty", [subcommand, "-q", "--check-status"] + measured, input: lines)
        #expect(quiet.status == 5, "\(quiet.errors)")
        #expect(quiet.errors.isEmpty, "\(quiet.errors)")
    }

    @Test("to HEAD is printed to a pipe as a head, like every response to HEAD")
    func head() async throws {
        let server = try LoopbackServer()
        for arguments in [
            ["HEAD", "\(server.url)/get"], ["-I", "\(server.url)/get"], ["-X", "head", "\(server.url)/get"],
        ] {
            let run = try await Program.run("swifty", arguments)
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.hasPrefix("HTTP/1.1 200 OK\nContent-Type: "), "\(run.output)")
            #expect(run.output.hasSuffix("\n\n"))
            #expect(server.log.requests.last?.method == "HEAD")
        }
        let body = try await Program.swifty("-b", "HEAD", "\(server.url)/get")
        #expect(body.output.isEmpty, "only the content is requested, and there is none")
    }
}
