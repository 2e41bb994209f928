// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A service command", .timeLimit(.minutes(15)))
struct ServiceCommandTests {
    private func run(_ arguments: [String], server: LoopbackServer? = nil) async throws -> Program {
        let environment = server.map { ["PEER_URL": $0.url] } ?? [:]
        return try await Program.run("ServicePeer", arguments, environment: environment)
    }

    private static let id = "8f14e45f-ceea-467f-a8b3-12d6f2ad1b34"

    @Test("makes a request with arguments of all types, and prints the response")
    func call() async throws {
        let server = try LoopbackServer()
        let arguments = ["--term", "a b", "--page=3", "--label", "x", "--label", "-y", "--exact", "--sort", "updated"]
        let run = try await run(["call", "search"] + arguments, server: server)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let request = try #require(server.log.last)
        #expect(request.query("term") == "a b" && request.query("page") == "3")
        #expect(request.target.contains("label=x&label=-y"))
        #expect(request.query("exact") == "true" && request.query("sort") == "updated")
        #expect(request["X-Peer"] == "1")
        #expect(try run.json()["url"] as? String == "\(server.url)\(request.target)")
    }

    @Test("leaves out optional arguments")
    func defaults() async throws {
        let server = try LoopbackServer()
        #expect(try await run(["call", "search", "--term", "a"], server: server).status == 0)
        #expect(server.log.last?.query("page") == "1" && server.log.last?.query("exact") == "false")
        #expect(server.log.last?.query("sort") == nil && server.log.last?.query("label") == nil)
        #expect(try await run(["call", "item", "--id", Self.id], server: server).status == 0)
        #expect(server.log.last?.path == "/anything/\(Self.id.uppercased())")
    }

    @Test("reports the arguments that a request cannot have, and sends nothing")
    func usage() async throws {
        let server = try LoopbackServer()
        for (arguments, message) in [
            (["search"], "--term is missing. (--term TEXT)"),
            (["search", "--term"], "--term needs a value."),
            (["search", "--term", "a", "--page", "x"], "\"x\" is not a value of --page. (--page INTEGER)"),
            (["search", "--term", "a", "--sort", "x"], "\"x\" is not a value of --sort. (--sort created|updated)"),
            (["search", "--term", "a", "--term", "b"], "--term is there twice."),
            (["search", "--term", "a", "--exact=no"], "--exact takes no value."),
            (["search", "--terms", "a"], "Did you mean --term?"),
            (["item", "--id", "7"], "\"7\" is not a value of --id. (--id UUID)"),
            (["item", "--id", Self.id, "--share", "nan"], "--share NUMBER"),
            (["item", "--id", Self.id, "--share", "2"], "no share is above 1"),
            (["serach", "--term", "a"], "There is no request \"serach\". (Did you mean search?)"),
            (["x"], "There is no request \"x\". (peer call lists the requests.)"),
        ] {
            let run = try await run(["call"] + arguments, server: server)
            #expect(run.status == 64 && run.bytes.isEmpty, "\(arguments)")
            #expect(run.errors.hasPrefix("peer: ") && run.errors.contains(message), "\(run.errors)")
        }
        let run = try await run(["search"])
        #expect(run.status == 64 && run.errors.contains("There is no subcommand \"search\"."))
        #expect(server.log.requests.isEmpty)
    }

    @Test("lists the requests with their parameters", arguments: [[], ["call"], ["--help"], ["call", "-h"]])
    func overview(_ arguments: [String]) async throws {
        let run = try await run(arguments)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.hasPrefix("Requests of a test server.\n\npeer call REQUEST"))
        let search = "  search --term TEXT [--page INTEGER] [--label TEXT]… [--exact] [--sort created|updated]\n"
        for text in [search, "      Shows what it was asked.\n", "  item --id UUID [--share NUMBER]\n"] {
            #expect(run.output.contains(text), "\(run.output)")
        }
    }

    @Test("explains a request and the options")
    func help() async throws {
        let run = try await run(["call", "search", "--help"])
        #expect(run.status == 0)
        for text in ["Shows what it was asked.\n\npeer call search --term", "the words\n", "--dry-run", "--verbose"] {
            #expect(run.output.contains(text), "\(text) is missing in\n\(run.output)")
        }
    }

    @Test("prints as swifty does: -v, --output json, --dry-run, without secrets")
    func output() async throws {
        let server = try LoopbackServer()
        let verbose = try await run(["call", "login", "-v"], server: server)
        let lines = ["POST /post HTTP/1.1\n", "X-Peer: 1\n", "HTTP/1.1 200 OK\n", "* 127.0.0.1 port"]
        for text in lines + ["{\"name\":\"Ada\"}"] {
            #expect(verbose.output.contains(text), "\(text) is missing in\n\(verbose.output)")
        }
        // The content of the response has it: the server sends back what it got.
        let head = try #require(verbose.output.components(separatedBy: "HTTP/1.1 200 OK").first)
        #expect(head.contains("Authorization: ") && !head.contains("secret-token"))
        let json = try await run(["call", "item", "--id", Self.id, "--output", "json"], server: server)
        #expect(try json.json()["status"] as? Int == 200)
        let count = server.log.count
        let dry = try await run(["call", "login", "--dry-run"], server: server)
        #expect(dry.status == 0 && dry.output.hasPrefix("POST /post HTTP/1.1\n") && dry.output.contains("X-Peer: 1\n"))
        #expect(!dry.output.contains("secret-token") && server.log.count == count)
    }

    @Test("prints responses of errors, whose status decides only with --check-status")
    func statuses() async throws {
        let server = try LoopbackServer()
        let run = try await run(["call", "status", "--code", "404"], server: server)
        #expect(run.status == 0 && run.errors == "peer: status returned 404\n")
        let checked = try await self.run(["call", "status", "--code", "503", "--check-status", "-q"], server: server)
        #expect(checked.status == 5 && checked.errors.isEmpty)
        #expect(try await self.run(["call", "login"]).status == 7)
    }
}
