// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import SwiftySupport
import Testing

@testable import SwiftyCommand

@Suite("Output", .timeLimit(.minutes(15)))
struct OutputTests {
    @Test(
        "is digested as defined in FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
    )
    func digest(text: String, digest: String) {
        #expect(SHA256.hash(Array(text.utf8)).hexadecimal == digest)
    }

    @Test("depends on the terminal unless options select its parts")
    func parts() throws {
        let letters = { (arguments: [String], terminal: Bool) -> PrintedParts? in
            try OutputOptions.parse(arguments).parts(isTerminal: terminal)
        }
        #expect(try letters([], false) == PrintedParts(argument: "b"))
        #expect(try letters([], true) == PrintedParts(argument: "hb"))
        #expect(try letters(["-v"], false) == PrintedParts(argument: "HhBb"))
        #expect(try letters(["-H"], true) == PrintedParts(argument: "h"))
        #expect(try letters(["-b", "-m"], true) == PrintedParts(argument: "bm"))
        #expect(try letters(["--print", "Hm"], true) == PrintedParts(argument: "mH"))
        #expect(PrintedParts(argument: "x") == nil)
        let head = try OutputOptions.parse([]).parts(isTerminal: false, method: "HEAD")
        #expect(head == PrintedParts(argument: "hb"))
        #expect(try OutputOptions.parse(["-b"]).parts(isTerminal: false, method: "HEAD") == PrintedParts(argument: "b"))
    }

    @Test(
        "has colours only on a terminal or if requested",
        arguments: [
            ([], true, [:], true), ([], false, [:], false), ([], true, ["NO_COLOR": "1"], false),
            ([], true, ["NO_COLOR": ""], true), ([], true, ["TERM": "dumb"], false),
            (["--color", "always"], false, ["NO_COLOR": "1"], true), (["--color", "never"], true, [:], false),
            (["--pretty", "format"], true, [:], false), (["--pretty", "colors"], false, [:], true),
        ] as [([String], Bool, [String: String], Bool)]
    )
    func colours(arguments: [String], isTerminal: Bool, environment: [String: String], hasStyle: Bool) throws {
        let options = try OutputOptions.parse(arguments)
        #expect((options.style(isTerminal: isTerminal, environment: environment) != nil) == hasStyle)
    }

    @Test("of progress fits the line, with bytes, rate and time left")
    func progress() {
        let known = ProgressLine.text(transferred: 5 << 20, total: 10 << 20, elapsed: 10, columns: 80)
        #expect(known.contains(" 50% 5.0 MiB/10.0 MiB 512.0 KiB/s 0:10 left"), "\(known)")
        #expect(known.hasPrefix("[####"))
        let continued = ProgressLine.text(
            transferred: 6 << 20,
            total: 8 << 20,
            before: 5 << 20,
            elapsed: 1,
            columns: 80
        )
        #expect(continued.contains(" 75% 6.0 MiB/8.0 MiB 1.0 MiB/s 0:02 left"), "\(continued)")
        let unknown = ProgressLine.text(transferred: 1536, total: nil, elapsed: 61, columns: 80)
        #expect(unknown == "1.5 KiB 25 B/s 1:01")
        for columns in [2, 10, 20, 40] {
            let line = ProgressLine.text(transferred: 1 << 40, total: 1 << 41, elapsed: 0, columns: columns)
            #expect(line.count < columns)
        }
    }

    @Test("of a request has no secrets unless requested")
    func secrets() throws {
        var request = NetworkRequest(method: .post, target: try TargetURI("http://a.test:8/p?token=geheim&x=1"))
        request.headers[.authorization] = "Bearer geheim"
        request.headers[.contentType] = "application/x-www-form-urlencoded"
        request.content = .data(Data("a=1&password=geheim".utf8))
        var text = MessageText()
        let hidden = text.requestHead(request) + text.requestContent(request)
        #expect(!hidden.contains("geheim"))
        #expect(hidden.contains("POST /p?token=REDACTED&x=1 HTTP/1.1\nHost: a.test:8\n"))
        text.hidesSecrets = false
        let shown = text.requestHead(request) + text.requestContent(request)
        #expect(shown.contains("/p?token=geheim"))
        #expect(shown.contains("Bearer geheim"))
        #expect(shown.contains("password=geheim"))
    }
}
