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
        file.settings.apply(to: &configuration)
        #expect(configuration.timeouts.idle == .seconds(5))
        #expect(configuration.timeouts.total == .seconds(30))
        #expect(configuration.timeouts.attempt == .seconds(20))
        #expect(file.settings.ignored().map(\.name) == ["discretionary"])
    }

    @Test("may contain only TNL's settings, in which zero means no limit")
    func bare() throws {
        var configuration = Swifty.Configuration()
        try file(#"{"idleTimeout": "0", "operationTimeout": "-1"}"#).settings.apply(to: &configuration)
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
            #"{"idleTimeout": "x"}"#, #"{"redirectPolicy": "3"}"#, #"{"body": 7}"#, #"{"cachePolicy": 6}"#,
            #"{"cookieAcceptPolicy": 3}"#, #"{"shouldSetCookies": "2"}"#, #"{"networkServiceType": "high"}"#,
            #"{"executionMode": "x"}"#, #"{"discretionary": "maybe"}"#,
        ]
    )
    func mistakes(text: String) {
        #expect(throws: UsageError.self) { try file(text) }
    }

    private func configuration(_ text: String, _ arguments: [String] = []) throws -> Swifty.Configuration {
        let folder = try TemporaryFolder()
        let path = try folder.file("c.json", Data(text.utf8)).path
        return try RequestOptions.parse(["--config", path] + arguments).configuration()
    }

    @Test(
        "says to caches what its cache policy demands",
        arguments: [("0", nil), ("1", nil), ("2", nil), ("3", "only-if-cached"), ("4", "no-cache"), ("5", "max-age=0")]
    )
    func cachePolicy(value: String, field: String?) throws {
        let configuration = try configuration(#"{"cachePolicy": \#(value)}"#)
        #expect(configuration.defaultHeaders[.cacheControl] == field)
    }

    @Test("keeps cookies between redirects if they are accepted and sent")
    func cookies() throws {
        #expect(try configuration(#"{"cookieAcceptPolicy": 0, "shouldSetCookies": true}"#).cookies != nil)
        #expect(try configuration(#"{"cookieAcceptPolicy": 2, "shouldSetCookies": "yes"}"#).cookies != nil)
        #expect(try configuration(#"{"cookieAcceptPolicy": 1, "shouldSetCookies": 1}"#, ["-q"]).cookies == nil)
        #expect(try file(#"{"shouldSetCookies": 1}"#).settings.ignored().map(\.name) == ["shouldSetCookies"])
        #expect(try file(#"{"cookieAcceptPolicy": 0}"#).settings.ignored().map(\.name) == ["cookieAcceptPolicy"])
        #expect(try file(#"{"cookieAcceptPolicy": 0}"#).settings.ignored(hasJar: true).isEmpty)
        #expect(try file(#"{"cookieAcceptPolicy": 1, "shouldSetCookies": "no"}"#).settings.ignored().isEmpty)
    }

    @Test("gives background work a low priority, unless an option gives another one")
    func priority() throws {
        let priority = try #require(HTTPField.Name("Priority"))
        let background = #"{"networkServiceType": 3}"#
        #expect(try configuration(background).defaultHeaders[priority] == "u=6")
        #expect(try configuration(background, ["--priority", "high"]).defaultHeaders[priority] == nil)
        #expect(try configuration(#"{"networkServiceType": 0}"#).defaultHeaders[priority] == nil)
        #expect(try file(#"{"networkServiceType": 4}"#).settings.ignored().map(\.name) == ["networkServiceType"])
    }

    @Test("is quiet about values by which the command acts anyway")
    func neutral() throws {
        let text = #"""
            {"contributeToExecutingNetworkConnectionsCount": "no", "skipHostSanitization": true, "discretionary": 0,
             "allowsCellularAccess": "YES", "deferrableInterval": 0, "executionMode": 0, "protocolOptions": "0",
             "shouldLaunchAppForBackgroundEvents": "no", "shouldUseExtendedBackgroundIdleMode": false,
             "responseDataConsumptionMode": 1, "connectivityOptions": 0, "responseComputeHashAlgorithm": 0}
            """#
        #expect(try file(text).settings.ignored().isEmpty)
    }

    @Test("names a setting without an effect in a note, with the reason", arguments: IgnoredSetting.all.keys.sorted())
    func notes(name: String) async throws {
        let value = ["skipHostSanitization", "allowsCellularAccess"].contains(name) ? "0" : "1"
        let text = #"{"\#(name)": "\#(name == "responseDataConsumptionMode" ? "2" : value)"}"#
        let folder = try TemporaryFolder()
        let path = try folder.file("c.json", Data(text.utf8)).path
        let run = try await Program.run("swifty", ["--dry-run", "--config", path, "http://a.test/"])
        let reason = try #require(IgnoredSetting.all[name]).reason
        #expect(run.status == 0 && run.errors == "swifty: the setting \(name) has no effect (\(reason))\n")
    }
}
