// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty -v", .timeLimit(.minutes(15)))
struct VerboseTests {
    /// The start lines of requests and responses in an output.
    private func startLines(_ output: String) -> [String] {
        output.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("HTTP/") || $0.hasSuffix(" HTTP/1.1") || $0.hasSuffix(" HTTP/2")
        }
    }

    @Test("shows every hop of a redirect, each with its request and response")
    func redirects() async throws {
        let server = try LoopbackServer()
        let run = try await Program.swifty("-v", "--follow", "\(server.url)/redirect/2")
        #expect(
            startLines(run.output) == [
                "GET /redirect/2 HTTP/1.1", "HTTP/1.1 302 Found", "GET /relative-redirect/1 HTTP/1.1",
                "HTTP/1.1 302 Found", "GET /get HTTP/1.1", "HTTP/1.1 200 OK",
            ],
            "\(run.output)"
        )
        let heads = try await Program.swifty("-v", "--print", "h", "--follow", "\(server.url)/redirect/2")
        #expect(startLines(heads.output) == ["HTTP/1.1 302 Found", "HTTP/1.1 302 Found", "HTTP/1.1 200 OK"])
        let last = try await Program.swifty("--print", "Hh", "--follow", "\(server.url)/redirect/2")
        #expect(startLines(last.output) == ["GET /get HTTP/1.1", "HTTP/1.1 200 OK"])
    }

    @Test("shows the connection of every hop: TLS where it is, with its version")
    func hops() async throws {
        let certificates = try await Certificates()
        let secure = try await PeerServer.nginx(certificates)
        let target = secure.secureURL
        let server = try LoopbackServer { server in server.redirect("/start", to: target) }
        let arguments = ["-v", "--follow", "--ca", certificates.path("ca.pem"), "\(server.url)/start"]
        let output = try await Program.run("swifty", arguments).output
        #expect(
            startLines(output) == ["GET /start HTTP/1.1", "HTTP/1.1 302 Found", "GET / HTTP/2", "HTTP/2 200"],
            "\(output)"
        )
        let parts = output.components(separatedBy: "302 Found")
        try #require(parts.count == 2)
        #expect(!parts[0].contains("TLS"))
        #expect(parts[1].contains("* TLSv1.3, TLS_"))
    }

    @Test("shows the challenge and its answer, without secrets", arguments: [[], ["--stream"], ["-o"]])
    func challenges(options: [String]) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let options = options == ["-o"] ? ["-o", folder.url.appending(path: "f").path] : options
        let url = "\(server.url)/digest-auth/auth/ada/geheim"
        let run = try await Program.run("swifty", ["-v", "-A", "digest", "-a", "ada:geheim", url] + options)
        #expect(
            startLines(run.output).filter { $0.hasPrefix("HTTP/") } == ["HTTP/1.1 401 Unauthorized", "HTTP/1.1 200 OK"]
        )
        #expect(run.output.contains("WWW-Authenticate: "))
        #expect(run.output.contains("Authorization: REDACTED"), "\(run.output)")
        #expect(run.output.components(separatedBy: "GET /digest-auth").count == 3)
    }

    @Test("shows the attempts before the last one, with their content, or their error")
    func retries() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/late") { _ in .text("later", status: 503) }
        }
        let run = try await Program.swifty("-v", "--retry", "2", "\(server.url)/late")
        #expect(startLines(run.output).count == 6)
        #expect(run.output.components(separatedBy: "later").count == 4)
        #expect(run.output.contains("* 127.0.0.1 port "))
        #expect(run.output.contains(", reused\n"))
        let refused = try await Program.swifty("-v", "--retry", "1", "http://127.0.0.1:1/x?token=geheim")
        #expect(refused.status == 7)
        #expect(
            refused.output.components(separatedBy: "GET /x?token=REDACTED HTTP/1.1").count == 3,
            "\(refused.output)"
        )
        #expect(refused.output.contains(" failed (connectionFailed"), "\(refused.output)")
    }

    @Test("shows the version that was spoken, TLS, and the certificate, as -m does")
    func security() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        let ca = ["--ca", certificates.path("ca.pem"), server.secureURL]
        for (version, alpn) in [("1.1", "http/1.1"), ("2", "h2")] {
            let run = try await Program.run("swifty", ["-v", "--http", version] + ca)
            let status = version == "2" ? "HTTP/2 200" : "HTTP/1.1 200 OK"
            #expect(startLines(run.output) == ["GET / HTTP/\(version)", status], "\(run.output)")
            #expect(run.output.contains("* TLSv1.3, TLS_"))
            #expect(run.output.contains(", ALPN \(alpn), verified\n"), "\(run.output)")
            #expect(run.output.contains("* certificate CN = "))
            #expect(run.output.contains("; issuer CN = "))
            #expect(run.output.contains(" UTC\n"))
        }
        let timings = try await Program.run("swifty", ["-m"] + ca)
        #expect(timings.output.contains("\nsecured    TLSv1.3, "), "\(timings.output)")
        #expect(timings.output.contains("\ncert       CN = "))
        let json = try await Program.run("swifty", ["--output", "json"] + ca).json()
        #expect((json["tls"] as? [String: Any])?["version"] as? String == "TLSv1.3")
        let blind = try await Program.run("swifty", ["-v", "--verify", "no", server.secureURL])
        #expect(blind.output.contains(", NOT VERIFIED\n"))
        let plain = try await Program.run("swifty", ["--print", "Hh", "--http", "2"] + ca)
        #expect(!plain.output.contains("* "))
        #expect(startLines(plain.output).first == "GET / HTTP/2")
    }
}
