// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing
import WebServiceDSL

@testable import SwiftyCommand

/// Text of servers and URLs cannot control the terminal.
@Suite("Text from the network", .timeLimit(.minutes(15)))
struct VisibleTextTests {
    /// Sets the title and clears the screen of a terminal; C1's CSI; a mark that reverses the direction of text.
    private static let attack = "\u{1B}]0;x\u{07}\u{1B}[2J\u{9B}31m\u{202E}"

    /// Whether anything but the command's own colours and line ends could control a terminal.
    private static func isHarmless(_ text: String) -> Bool {
        let plain = text.replacing(#/\u{1B}\[[0-9;]*[mK]/#, with: "")
        return !plain.unicodeScalars.contains { VisibleText.isHidden($0) && !"\n\r".unicodeScalars.contains($0) }
    }

    @Test("has its control characters escaped, in one place")
    func escaping() {
        #expect(VisibleText.line("plain ü 漢 👩‍🚀 text") == "plain ü 漢 👩‍🚀 text")
        let escaped = #"\u{1B}]0;x\u{07}\u{1B}[2J\u{009B}31m\u{202E}"#
        #expect(VisibleText.line(Self.attack).lowercased() == escaped.lowercased())
        #expect(VisibleText.line("a\r\nb\tc\u{0}\u{7F}\u{85}\u{2028}") == #"a\r\nb\tc\0\u{7F}\u{0085}\u{2028}"#)
        for value in (0..<0x20 as Range<UInt32>).map(\.self) + (0x7F..<0xA0).map(\.self) {
            let scalar = UnicodeScalar(value) ?? "a"
            #expect(VisibleText.isHidden(scalar))
            #expect(!VisibleText.line(String(scalar)).unicodeScalars.contains(scalar))
        }
    }

    @Test("in a head is escaped: reason phrase, names and values of fields, and the target of a request")
    func heads() throws {
        let head = ResponseHead(statusCode: 200, reasonPhrase: Self.attack, headers: [.server: "a\u{202E}b"])
        for style in [nil, Style()] {
            let text = MessageText(style: style).head(head, hidesSecrets: false)
            #expect(Self.isHarmless(text), "\(text)")
            #expect(text.contains("2J"), "\(text)")
        }
        var request = NetworkRequest(method: .get, target: try TargetURI("http://a.test/\u{202E}?\u{9B}31m"))
        request.headers[.userAgent] = "a\u{202E}b"
        #expect(Self.isHarmless(MessageText(hidesSecrets: false).requestHead(request)))
        #expect(Self.isHarmless(MessageText().requestHead(request)))
    }

    @Test("in the timings is escaped: addresses, and targets of redirects")
    func meta() {
        var metrics = LoadMetrics()
        var transfer = TransferMetrics()
        transfer.remoteAddress = Self.attack
        transfer.remotePort = 1
        metrics.attempts = [LoadMetrics.Attempt(statusCode: 200, errorCode: nil, sent: .responded, metrics: transfer)]
        let text = TimingText.text(metrics)
        #expect(Self.isHarmless(text), "\(text)")
        #expect(text.contains("2J"), "\(text)")
    }

    @Test("in JSON is escaped as JSON, and decodes to itself")
    func json() throws {
        let text = JSONOutput.string(Self.attack).text
        #expect(Self.isHarmless(text))
        #expect(text.contains(#"\u001b]0;x\u0007"#))
        #expect(text.contains(#"\u009b31m\u202e"#))
        let decoded = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        #expect(decoded as? String == Self.attack)
    }

    @Test("in imported Swift is escaped: in literals, and in comments, which it cannot end")
    func imported() throws {
        let words = ["curl", "-H", "X: \(Self.attack)", "-x", "h\nimport Evil\(Self.attack)", "http://a.test/"]
        let text = try SwiftFunction(words).text
        #expect(Self.isHarmless(text), "\(text)")
        #expect(text.contains(#"\u{1b}]0;x"#), "\(text)")
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("import") } == ["import Swifty"])
    }

    /// The output of the command on a terminal for a response with given bytes.
    private func shown(_ options: String, _ answer: String) async throws -> String {
        let server = try ScriptedServer([.readRequest, .send(answer), .close])
        let folder = try TemporaryFolder()
        let python =
            "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['/bin/sh', '-c', sys.argv[1]])))"
        let command = "cd '\(folder.url.path)'; '\(Program.products.path)/swifty' \(options) \(server.url)/"
        let environment = ["TERM": "xterm", "NO_COLOR": ""]
        return try await Program.run("/usr/bin/python3", ["-c", python, command], environment: environment).output
    }

    @Test(
        "reaches no terminal unescaped, in any kind of output",
        arguments: [
            "", "-v", "-H", "-m", "-b --check-status", "-o /dev/null", "-d", "--output json", "--check-status -d",
        ]
    )
    func terminal(options: String) async throws {
        let raw = "\u{1B}]0;x\u{07}\u{1B}[2J"
        let head = "HTTP/1.1 404 \(raw)\r\nContent-Length: 2\r\nX-A: a\u{C3}b\r\n"
        let disposition = "Content-Disposition: attachment; filename*=UTF-8''a%1B%5D0;x%07%C2%9B31m%E2%80%AEtxt.b\r\n"
        let text = try await shown(options, "\(head)\(disposition)\r\nok")
        #expect(Self.isHarmless(text), "\(text.debugDescription)")
        #expect(!text.isEmpty, "\(text.debugDescription)")
        let needsReason = !options.contains("-o") || options.contains("json")
        #expect(!needsReason || text.contains("2J") || text.contains("not"), "\(text.debugDescription)")
    }

    @Test(
        "in errors is escaped",
        arguments: [
            "HTTP/1.1 2\u{1B}[2J0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nA\u{1B}[2J: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: \u{1B}[2J\r\n\r\n", "\u{1B}[2J\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: http://\u{1B}[2J/\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\u{1B}[2J\r\n",
            "HTTP/1.1 302 Found\r\nLocation: http://a%1B%5B2J.invalid/\r\nContent-Length: 0\r\n\r\n",
        ]
    )
    func errors(answer: String) async throws {
        let text = try await shown("--follow", answer)
        #expect(Self.isHarmless(text), "\(text.debugDescription)")
        #expect(!text.isEmpty, "\(text.debugDescription)")
    }

    @Test("in a URL is escaped in errors")
    func urls() async throws {
        for url in [
            "http://\(Self.attack)/", "ftp://a/\(Self.attack)", "http://a.invalid/\(Self.attack)", "=\(Self.attack)",
        ] {
            let run = try await Program.swifty(url)
            #expect(run.status != 0, "\(run.errors.debugDescription)")
            #expect(Self.isHarmless(run.errors), "\(run.errors.debugDescription)")
            let dry = try await Program.swifty("--dry-run", url)
            #expect(Self.isHarmless(dry.output + dry.errors), "\(dry.output.debugDescription)")
        }
    }

    @Test("results in file names that are harmless to list")
    func names() throws {
        let disposition = "attachment; filename*=UTF-8''a%1B%5D0;x%07%C2%9B31m%E2%80%AEtxt.b"
        let head = ResponseHead(statusCode: 200, headers: [.contentDisposition: disposition])
        #expect(Self.isHarmless(DownloadFileName.name(of: head, target: nil)))
        let target = try TargetURI("http://a.test/%1B%5B2J%E2%80%AEx")
        #expect(Self.isHarmless(DownloadFileName.name(of: nil, target: target)))
    }
}
