// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

import struct Foundation.Data

// Requests through proxies.

extension Conformance {
    private static func scenario(
        _ name: String,
        _ sentence: String,
        _ needs: TransportCapabilities = .proxies,
        _ body: @escaping ConformanceScenario.Body
    ) -> ConformanceScenario {
        ConformanceScenario("proxies/\(name)", sentence, needs: needs.union(.network), body)
    }

    private static func proxy(
        _ server: ScriptedServer,
        user: String? = nil,
        password: String? = nil
    ) -> TransportSettings.Proxy {
        let address = HostAndPort(host: "127.0.0.1", port: server.port)
        return TransportSettings.Proxy(.http, at: address, user: user, password: password)
    }

    private typealias Loading = @Sendable (_ url: String) async throws -> Result<TransportResponse, SwiftyError>

    /// A scenario with a proxy over TLS.
    private static func secure(
        _ name: String,
        _ sentence: String,
        trustsProxy: Bool,
        _ body: @escaping @Sendable (ScriptedServer, Loading) async throws -> Void
    ) -> ConformanceScenario {
        scenario(name, sentence, [.secureProxies, .customAuthorities]) { run in
            let authority = try TestAuthority()
            let server = try run.server(tls: authority.server(), [.readRequest, .respond(content: "proxied"), .close])
            let address = HostAndPort(host: "127.0.0.1", port: server.port)
            let trusted = trustsProxy ? authority : try TestAuthority()
            let transport = run.transport {
                $0.proxy = .proxy(TransportSettings.Proxy(.https, at: address))
                $0.tls.trust = .pem(trusted.pem)
            }
            try await body(server) { await transport.result(of: try .to($0)) }
        }
    }

    /// HTTP and SOCKS proxies.
    static let proxies = [
        scenario("absolute-form", "An http request goes to the proxy, with its whole URL.") { run in
            let server = try run.server(.readRequest, .respond(content: "proxied"), .close)
            let transport = run.transport { $0.proxy = .proxy(proxy(server)) }
            try expect("the content", try await transport.text(of: "http://one.test/a?b=c"), is: "proxied")
            try expect("the target", server.log.last?.target, is: "http://one.test/a?b=c")
            try expect("Host", server.log.last?["Host"], is: "one.test")
            try expect("Proxy-Authorization", server.log.last?["Proxy-Authorization"], is: nil)
        },
        scenario("exceptions", "A request to an excepted host goes to the host.") { run in
            let server = try run.server(.readRequest, .respond(content: "proxied"), .stall)
            let origin = try run.server(.readRequest, .respond(content: "direct"), .stall)
            let transport = run.transport { $0.proxy = .proxy(proxy(server), exceptions: ["127.0.0.1"]) }
            try expect("the content", try await transport.text(of: origin.url), is: "direct")
            try expect("the number of requests to the proxy", server.log.count, is: 0)
        },
        scenario("refused", "A proxy that cannot be reached is not bypassed.") { run in
            let origin = try run.server(.readRequest, .respond(content: "direct"), .stall)
            let address = HostAndPort(host: "127.0.0.1", port: try ServerPort.free())
            let transport = run.transport { $0.proxy = .proxy(TransportSettings.Proxy(.http, at: address)) }
            let error = try await transport.failure(of: .to(origin.url))
            try ExpectedFailure(.proxyFailed, [.connect], .notSent).check(error)
            try expect("the number of direct requests", origin.log.count, is: 0)
        },
        scenario("authentication", "Credentials go to the proxy.", [.proxies, .proxyAuthentication]) { run in
            let server = try run.server(.readRequest, .respond(content: "proxied"), .close)
            let transport = run.transport { $0.proxy = .proxy(proxy(server, user: "user", password: "p:w")) }
            _ = try await transport.text(of: "http://one.test/")
            let credentials = Data("user:p:w".utf8).base64EncodedString()
            try expect("the credentials", server.log.last?["Proxy-Authorization"], is: "Basic \(credentials)")
        },
        scenario("tunnel", "A request to https opens a tunnel first, without the request's fields.") { run in
            let server = try run.server(.readRequest, .send("HTTP/1.1 200 OK\r\n\r\n"), .close)
            let transport = run.transport { $0.proxy = .proxy(proxy(server)) }
            let request = try NetworkRequest.to("https://one.test/secret", headers: [.authorization: "Bearer canary"])
            let error = try await transport.failure(of: request)
            try expect("the state of the request", error.sent, is: .notSent)
            try expect("the method", server.log.last?.method, is: "CONNECT")
            try expect("the target", server.log.last?.target, is: "one.test:443")
            try expect(server.log.last?.headText.contains("canary") == false, "the proxy sees the request's fields")
        },
        scenario("tunnel-refused", "A proxy that refuses a tunnel is named in the error.") { run in
            let server = try run.server(.readRequest, .respond(403, content: "no"), .close)
            let transport = run.transport { $0.proxy = .proxy(proxy(server)) }
            let error = try await transport.failure(of: .to("https://one.test/"))
            try ExpectedFailure(.proxyFailed, [], .notSent).check(error)
        },
        scenario(
            "tunnel-authentication",
            "A tunnel that needs other credentials is its own error.",
            [.proxies, .proxyAuthentication]
        ) { run in
            let fields = [("Proxy-Authenticate", "Basic realm=\"test\"")]
            let server = try run.server { _ in [.readRequest, .respond(407, fields), .close] }
            let transport = run.transport { $0.proxy = .proxy(proxy(server, user: "user", password: "canary")) }
            let error = try await transport.failure(of: .to("https://one.test/"))
            try ExpectedFailure(.proxyAuthenticationRequired, [], .notSent).check(error)
            try expect(!"\(error)".contains("canary"), "the error has the password: \(error)")
        },
        scenario("own-field", "A request cannot have Proxy-Authorization.", []) { run in
            let server = try run.server(.readRequest, .respond(), .stall)
            let request = try NetworkRequest.to(server.url, headers: [.proxyAuthorization: "Basic canary"])
            let error = try await run.transport().failure(of: request)
            try ExpectedFailure(.invalidHeader, [.building], .notSent).check(error)
            try expect("the number of connections", server.connectionCount, is: 0)
        },
        scenario("invalid", "A proxy without a valid host fails every load.") { run in
            let address = HostAndPort(host: "a\r\nb", port: 80)
            let transport = run.transport { $0.proxy = .proxy(TransportSettings.Proxy(.http, at: address)) }
            let error = try await transport.failure(of: .to("http://one.test/"))
            try ExpectedFailure(.invalidProxy, [.building], .notSent).check(error)
        },
        secure("secure", "A proxy over TLS gets the request, with its whole URL.", trustsProxy: true) { server, load in
            try expect("the content", try await load("http://one.test/a").get().text, is: "proxied")
            try expect("the target", server.log.last?.target, is: "http://one.test/a")
        },
        secure("secure-untrusted", "A proxy over TLS of an unknown authority gets nothing.", trustsProxy: false) {
            server,
            load in
            guard case .failure(let error) = try await load("http://one.test/a") else {
                throw ConformanceFailure(description: "the load succeeds")
            }
            try expect("the state of the request", error.sent, is: .notSent)
            try expect("the number of requests to the proxy", server.log.count, is: 0)
        },
        scenario("socks", "SOCKS 5 gets the name of the host, and then carries the request.", .socksProxies) { run in
            let granted: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]
            let greeting = 3
            let connect = 4 + 1 + "one.test".utf8.count + 2
            let server = try run.server(
                .skip(greeting),
                .send([5, 0]),
                .skip(connect),
                .send(granted),
                .readRequest,
                .respond(content: "carried"),
                .stall
            )
            let address = HostAndPort(host: "127.0.0.1", port: server.port)
            let transport = run.transport { $0.proxy = .proxy(TransportSettings.Proxy(.socks5, at: address)) }
            try expect("the content", try await transport.text(of: "http://one.test/a"), is: "carried")
            try expect("the target", server.log.last?.target, is: "/a")
        },
    ]
}
