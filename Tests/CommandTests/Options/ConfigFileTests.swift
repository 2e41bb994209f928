// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("The configuration file", .timeLimit(.minutes(15)))
struct ConfigFileTests {
    private func file(_ text: String) throws -> ConfigFile {
        try ConfigFile(Data(text.utf8), name: "c.json")
    }

    @Test("combines TNL's three files")
    func parts() throws {
        let text = #"""
            {"method": "put", "headers": {"X-B": "2", "X-A": 1}, "body": {"b": 1, "a": [true]},
             "config": {"idleTimeout": "5", "operationTimeout": 30, "attemptTimeout": "20", "discretionary": "yes"}}
            """#
        let file = try file(text)
        #expect(file.method == "PUT")
        #expect(file.headers.map(\.name) == ["X-A", "X-B"])
        #expect(file.headers[0].value == "1")
        #expect(file.content == .text(#"{"a":[true],"b":1}"#, mediaType: "application/json"))
        var configuration = Swifty.Configuration()
        file.apply(to: &configuration)
        #expect(configuration.timeouts.idle == .seconds(5))
        #expect(configuration.timeouts.total == .seconds(30))
        #expect(configuration.timeouts.attempt == .seconds(20))
        #expect(file.ignored == ["discretionary"])
    }

    @Test("may contain only TNL's settings, in which zero means no limit")
    func bare() throws {
        var configuration = Swifty.Configuration()
        try file(#"{"idleTimeout": "0", "operationTimeout": "-1"}"#).apply(to: &configuration)
        #expect(configuration.timeouts.idle == nil)
        #expect(configuration.timeouts.total == nil)
        #expect(configuration.timeouts.connect == .seconds(10))
    }

    @Test("decides which redirects are followed, unless an argument does", arguments: [(0, 0), (1, 20), (2, 20)])
    func redirects(value: Int, count: Int) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("c.json", Data(#"{"redirectPolicy": "\#(value)"}"#.utf8)).path
        let policy = { (arguments: [String]) in
            try RequestOptions.parse(["--config", path] + arguments).configuration().redirects
        }
        #expect(try policy([]).maximumCount == count)
        #expect(try policy(["--follow", "--max-redirects", "3"]).maximumCount == 3)
        #expect(try policy(["--no-follow"]).maximumCount == 0)
        #expect(try (policy([]).decide != nil) == (value == 2))
        #expect(try policy(["--follow"]).decide == nil)
    }

    @Test(
        "must not contain unknown settings",
        arguments: [
            "[]", "x", #"{"idleTimout": "1"}"#, #"{"headers": 1}"#, #"{"body": "a", "extra": 1}"#,
            #"{"idleTimeout": "x"}"#, #"{"redirectPolicy": "3"}"#, #"{"body": 7}"#,
        ]
    )
    func mistakes(text: String) {
        #expect(throws: UsageError.self) { try file(text) }
    }
}
