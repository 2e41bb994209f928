// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("The route of swifty", .timeLimit(.minutes(15)))
struct RouteTests {
    @Test("goes through a proxy, named by an option or by the environment")
    func proxy() async throws {
        let proxy = try ScriptedServer([.readRequest, .respond(200, content: "by proxy")])
        let named = "http://u:p%40@127.0.0.1:\(proxy.port)"
        let run = try await Program.swifty("--proxy", named, "http://a.test/x")
        let request = try #require(proxy.log.requests.first)
        #expect(run.output == "by proxy")
        #expect(request.target == "http://a.test/x")
        #expect(request["Proxy-Authorization"] == "Basic \(Data("u:p@".utf8).base64EncodedString())")
        let variables = ["http_proxy": proxy.url, "no_proxy": ""]
        let environment = try await Program.swifty("--proxy-env", "http://b.test/", environment: variables)
        #expect(environment.output == "by proxy")
        #expect(proxy.log.requests.last?.target == "http://b.test/")
    }

    @Test("ends at a proxy that refuses the tunnel")
    func refusedTunnel() async throws {
        let proxy = try ScriptedServer([.readRequest, .respond(403, content: "no")])
        let run = try await Program.swifty("--proxy", proxy.url, "https://a.test/")
        #expect(run.status == 7)
        #expect(run.errors.contains("proxyFailed"))
        #expect(proxy.log.requests.first?.method == "CONNECT")
        let locked = try ScriptedServer([.readRequest, .respond(407, [("Proxy-Authenticate", "Basic")], content: "")])
        let asked = try await Program.swifty("--proxy", locked.url, "https://a.test/")
        #expect(asked.status == 7, "\(asked.errors)")
        #expect(asked.errors.contains("proxyAuthenticationRequired"), "\(asked.errors)")
    }

    @Test("leads to a socket in the file system")
    func unixSocket() async throws {
        let server = try await PeerServer.nginx { port, folder in
            """
            server {
              listen 127.0.0.1:\(port); listen unix:\(folder)/socket; location / { return 200 '$host at $server_addr'; }
            }
            """
        }
        let run = try await Program.swifty("--unix-socket", server.folder.path("socket"), "http://a.test/")
        #expect(run.output == "a.test at unix:\(server.folder.path("socket"))", "\(run.errors)")
        let missing = try await Program.swifty("--unix-socket", server.folder.path("none"), "http://a.test/")
        #expect(missing.status == 7)
    }

    @Test("does not lead into private networks with --deny-private")
    func privateNetworks() async throws {
        let server = try LoopbackServer()
        for host in ["127.0.0.1", "localhost"] {
            let run = try await Program.swifty("--deny-private", "http://\(host):\(server.port)/ip")
            #expect(run.status == 7, "\(run.errors)")
            #expect(run.errors.contains("addressDenied"), "\(run.errors)")
        }
        #expect(server.log.requests.isEmpty)
    }

    @Test("applies --lenient and --max-body to responses")
    func responses() async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\nabc")])
        let strict = try await Program.swifty(server.url)
        #expect(strict.status == 1)
        #expect(strict.errors.contains("malformedResponse"))
        #expect(strict.errors.contains("--lenient"))
        #expect(try await Program.swifty("--lenient", server.url).output == "abc")
        let large = try ScriptedServer([.readRequest, .respond(200, content: "abcd")])
        #expect(try await Program.swifty("--max-body", "4", large.url).output == "abcd")
        let limited = try await Program.swifty("--max-body", "3", large.url)
        #expect(limited.status == 1)
        #expect(limited.errors.contains("responseTooLarge"))
        #expect(limited.output.isEmpty)
    }
}
