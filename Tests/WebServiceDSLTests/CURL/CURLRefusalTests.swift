// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("A curl command that is no request", .timeLimit(.minutes(15)))
struct CURLRefusalTests {
    private func failure(_ command: String) -> SwiftyError? {
        CURLRequest(command, function: #function).draft.creationError
    }

    @Test(
        "fails the load with the option that cannot be carried over",
        arguments: [
            "-k", "--cacert f", "-E f", "--key f", "--pinnedpubkey p", "--tlsv1.3", "-x p:1", "--socks5 p", "-U u:p",
            "--resolve a:1:b", "--connect-to a:1:b:2", "--unix-socket s", "--interface i", "-4", "-6", "-c f", "-n",
            "--netrc-file f", "-z now", "--etag-compare f", "--path-as-is", "--location-trusted", "--post301",
            "--http1.0", "--http2-prior-knowledge", "--raw", "--tr-encoding", "-C 100", "--hsts f", "-K f", "--next",
            "--ntlm", "--anyauth", "--request-target /x", "--proto =https", "--doh-url u", "--capath d",
            "--proxy-insecure", "--form-escape", "--crlf", "--no-insecure",
        ]
    )
    func option(_ option: String) throws {
        let error = try #require(failure("curl \(option) http://a.test"))
        #expect(error.code == .requestRefused)
        #expect(error.reason.contains("\"\(option.prefix { $0 != " " })\" cannot be carried over"), "\(error.reason)")
    }

    @Test(
        "fails the load with the reason, which repeats no value",
        arguments: [
            ("wget a.test", "curl command"), ("", "curl command"), ("curl", "no URL"), ("curl 'a", "quote"),
            ("curl --canary a.test", "is not known"), ("curl --user=canary a.test", "\"--user\" is not known"),
            ("curl a.test -H", "has no value"), ("curl a.test canary", "second URL"),
            ("curl a.test | jq .", "second URL"),
            ("curl a.test -H @canary", "-H names a file"), ("curl a.test -H canary", "-H is no header field"),
            ("curl a.test -H Host:", "-H is no header field"), ("curl a.test -u canary", "ask for the password"),
            ("curl a.test -b canary", "-b names a file"), ("curl a.test -e 'canary;auto'", "-e has"),
            ("curl 'a.test/{canary}'", "would expand"), ("curl a.test -d @-", "standard input"),
            ("curl a.test -T .", "standard input"), ("curl a.test -d a -F b=canary", "two kinds"),
            ("curl a.test -d @a -d canary", "two kinds"), ("curl a.test -F canary", "has no name"),
            ("curl a.test -F 'a=<canary'", "text in a file"), ("curl a.test -F a=@b,canary", "several files"),
            ("curl a.test -F 'a=b;canary'", "a parameter"), ("curl a.test -F 'a=b;encoder=canary'", "a parameter"),
            ("curl a.test -F a=b -H 'Content-Type: canary'", "Content-Type"), ("curl a.test -I -d canary", "HEAD"),
            ("curl a.test --data-urlencode ca@nary", "name of a file"), ("curl a.test -G -d @canary", "not known"),
            ("curl a.test -m canary", "not a usable number"), ("curl a.test --limit-rate canary", "number of bytes"),
            ("curl a.test --max-filesize canary", "number of bytes"), ("curl a.test -m inf", "not a usable number"),
            ("curl a.test -H \"X: $TOKEN\"", "expand $TOKEN"), ("curl a.test -H \"X: ${TOKEN:-canary}\"", "expand $…"),
            ("curl a.test -u \"a:p$canary\"", "expand $…"), ("curl a.test -d \"$(cat canary)\"", "expand $(…)"),
            ("curl a.test -d `canary`", "expand `…`"), ("curl a.test -H $'X: \\xffcanary'", "is not text"),
            ("curl a.test -G -d $'\\xffcanary'", "is not text"),
        ]
    )
    func reason(command: String, part: String) throws {
        let error = try #require(failure(command))
        #expect(error.code == .requestRefused)
        #expect(error.reason.contains(part), "\(error.reason)")
        #expect(error.reason == "the curl option \"--canary\" is not known" || !error.reason.contains("canary"))
    }

    @Test(
        "fails the load with the codes of other requests where they fit",
        arguments: [
            ("curl ftp://a.test", .invalidURL), ("curl 'http://a b'", .invalidURL), ("curl ''", .invalidURL),
            ("curl 'http://user:canary@'", .invalidURL), ("curl a.test -X 'A B'", .invalidMethod),
            ("curl a.test -X CONNECT", .invalidMethod), ("curl a.test -X TRACE -d a", .contentNotAllowed),
            ("curl a.test -H $'X: a\\x01canary'", .invalidHeader), ("curl a.test -H 'A B: canary'", .invalidHeader),
            ("curl a.test -m 1e-30", .invalidTimeout), ("curl a.test -F $'a\\x01=canary'", .invalidHeader),
        ] as [(String, SwiftyError.Code)]
    )
    func code(command: String, code: SwiftyError.Code) throws {
        let error = try #require(failure(command))
        #expect(error.code == code, "\(error.reason)")
        #expect(!error.reason.contains("canary"), "\(error.reason)")
    }

    @Test("never traps, whatever its bytes are")
    func fuzz() {
        var random = SplitMix(seed: UInt64.random(in: 0 ... .max))
        let pieces = [
            "'", "\"", "\\", "$", "$'", "${", "$(", "`", " ", "\n", "\r\n", "=", "@", ";", ":", "&", "#", "?", "/",
            "://",
            "[", "]", "{", "}", "%", "%2", "\0", "\u{7F}", "\u{301}", "ü", "😀", "\u{10FF80}", "\\x", "\\u", "\\ud83d",
            "-", "--", "-d ", "-F ", "-H ", "-u ", "-b ", "-X ", "-T ", "-G ", "-I ", "-m ", "-e ", "-r ", "--json ",
            "--retry ", "--limit-rate ", "--url-query ", "--data-urlencode ", "a", "9", "9999999999999999999", "-1",
            "e9",
            "nan", "type=", "filename=", "headers=", "http://", "a.test", "K", "Host:", "Content-Type:",
        ]
        for _ in 0..<20_000 {
            var command = Bool.random(using: &random) ? "curl a.test " : "curl "
            for _ in 0..<Int.random(in: 0..<16, using: &random) {
                let byte = UInt8.random(in: 0...255, using: &random)
                let isByte = Int.random(in: 0..<8, using: &random) == 0
                command += isByte ? String(decoding: [byte], as: UTF8.self) : pieces.randomElement(using: &random) ?? ""
            }
            let draft = CURLRequest(command, function: #function).draft
            #expect(draft.creationError != nil || draft.fullTarget != nil, "\(command.debugDescription)")
        }
    }

    @Test(
        "takes a time that grows with its length alone",
        arguments: [
            "${", "$a", "$'\\x", "'a'", "\"", "\\", " -d a", " -H a:b", " -b a=1", " -F a=b", " -A x", "-s", ";",
            " -F 'a=b;c'",
            " --json {", "`", "[", "{", " -G", "a", " a", "@", "%", "://", "\u{301}", " --url-query a",
        ]
    )
    func cost(piece: String) {
        let start = ContinuousClock.now
        for prefix in ["curl a.test ", "curl -d ", "curl a.test -H ", "curl a.test -F ", "curl a.test -", "curl "] {
            _ = CURLRequest(prefix + String(repeating: piece, count: 20_000), function: #function).draft.creationError
        }
        #expect(start.duration(to: .now) < .seconds(60))
    }
}
