// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A server with TLS", .timeLimit(.minutes(15)))
struct ServerTLSTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    private func base(_ url: String, _ change: (inout TransportSettings.TLS) -> Void = { _ in }) -> BaseResource {
        var settings = TransportSettings()
        settings.tls.trust = .pem(authority.pem)
        change(&settings.tls)
        return BaseResource(url, networkInterface: Swifty(transport: settings))
    }

    private func failure(_ resource: NetworkResource) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self) { try await resource.load() }
    }

    @Test("serves a client that trusts its authority, on kept connections, in both directions")
    func trusted() async throws {
        let server = try LoopbackServer(tls: authority.server())
        #expect(server.url.hasPrefix("https://127.0.0.1:"))
        let base = base(server.url)
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for _ in 0..<3 {
            let echoed = try await base.post("post").data(content, contentType: "application/octet-stream").load()
            #expect(echoed.statusCode == 200)
        }
        #expect(server.log.last?.content == content)
        let bytes = try await base.get("bytes/5000000").query(["seed": 1]).load()
        #expect(bytes.data?.count == 5_000_000)
        #expect(server.connectionCount == 1)
        await server.stop()
        try await until { server.openConnectionCount == 0 }
    }

    @Test("is refused by a client that does not trust it, by name, time, version and authority")
    func refused() async throws {
        let now = Date()
        let expired = try authority.server(validity: now.addingTimeInterval(-7_200)..<now.addingTimeInterval(-3_600))
        let early = try authority.server(validity: now.addingTimeInterval(7_200)..<now.addingTimeInterval(9_000))
        for settings in [expired, early, try authority.server(names: ["other.example"]), try TestAuthority().server()] {
            let server = try LoopbackServer(tls: settings)
            #expect(await failure(base(server.url).get("ip"))?.code == .certificateInvalid)
            #expect(server.log.count == 0)
        }
        var old = try authority.server()
        old.versions = .v1_2 ... .v1_2
        let server = try LoopbackServer(tls: old)
        #expect(await failure(base(server.url) { $0.minimumVersion = .v1_3 }.get("ip"))?.code == .tlsFailed)
        #expect(try await base(server.url).get("ip").load().statusCode == 200)
    }

    @Test("speaks an old version if it is told to, which clients refuse")
    func oldVersion() async throws {
        var settings = try authority.server()
        settings.versions = .v1_1 ... .v1_1
        let server = try LoopbackServer(tls: settings)
        let session = try await Program.run(
            ExternalProgram.path("openssl"),
            ["s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
        )
        #expect(session.status == 0)
        #expect(session.output.contains("TLSv1.1"), "\(session.output)")
        #expect(await failure(base(server.url).get("ip"))?.code == .tlsFailed)
        #expect(server.log.count == 0)
    }

    @Test("knows its pins, and asks for certificates of clients")
    func identities() async throws {
        var settings = try authority.server()
        let pin = settings.publicKeyPin
        let pinned = try LoopbackServer(tls: settings)
        #expect(
            try await base(pinned.url) { $0.pins["127.0.0.1"] = .publicKeys([pin]) }.get("ip").load().statusCode == 200
        )
        let other = try authority.server().publicKeyPin
        let error = await failure(base(pinned.url) { $0.pins["127.0.0.1"] = .publicKeys([other]) }.get("ip"))
        #expect(error?.code == .certificatePinMismatch)

        settings.clientAuthority = authority
        let server = try LoopbackServer(tls: settings)
        let client = try authority.client()
        let folder = try TemporaryFolder()
        try client.certificate.write(to: URL(fileURLWithPath: folder.path("client.pem")))
        try client.key.write(to: URL(fileURLWithPath: folder.path("client.key")))
        let known = base(server.url) {
            $0.identity = .pem(certificateFile: folder.path("client.pem"), keyFile: folder.path("client.key"))
        }
        #expect(try await known.get("ip").load().statusCode == 200)
        #expect(await failure(base(server.url).get("ip")) != nil)
        #expect(server.log.count == 1)
    }

    @Test("fails handshakes as it is told, for each connection", arguments: ["close", "reset", "alert", "stall"])
    func handshakes(_ fault: String) async throws {
        let faults: [String: ServerTLS.HandshakeFault] = [
            "close": .close, "reset": .reset, "alert": .alert, "stall": .stall,
        ]
        var settings = try authority.server()
        settings.handshakeFault = { number in number == 0 ? faults[fault] : nil }
        let server = try LoopbackServer(tls: settings)
        let base = base(server.url)
        let limit: Duration = fault == "stall" ? .milliseconds(300) : .seconds(60)
        let error = await failure(base.get("ip").timeout(total: limit))
        #expect(error?.sent == .notSent)
        let codes: [String: SwiftyError.Code] = ["stall": .timedOut, "alert": .tlsFailed]
        #expect(error?.code == codes[fault] ?? .connectionLost, "\(error as Any)")
        #expect(try await base.get("ip").load().statusCode == 200)
    }

    @Test("carries the faults of a script to the client: cut, reset and silence")
    func scripts() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"
        let scripts: [[ScriptedServer.Step]] = [
            [.readRequest, .send(head), .close], [.readRequest, .send(head), .reset],
            [.readRequest, .send(head), .stall],
        ]
        for script in scripts {
            let server = try ScriptedServer(script, tls: authority.server())
            let isStalled = script.last == .stall
            let limit: Duration = isStalled ? .milliseconds(500) : .seconds(60)
            let error = await failure(base(server.url).get("x").timeout(total: limit))
            #expect(error?.code == (isStalled ? .timedOut : .connectionLost), "\(error as Any)")
            #expect(error?.sent == .responded)
        }
    }

    @Test("answers a request in the clear in the clear, and a server in the clear refuses a handshake, both at once")
    func plain() async throws {
        let secured = try LoopbackServer(tls: authority.server())
        let plain = BaseResource("http://127.0.0.1:\(secured.port)", networkInterface: Swifty()).get("ip")
        let error = await failure(plain)
        #expect(error?.statusCode == 400)
        let server = try LoopbackServer()
        let refused = await failure(base("https://127.0.0.1:\(server.port)").get("ip").timeout(total: .seconds(60)))
        #expect(refused?.code == .tlsFailed)
        let text = try await base(secured.url).get("ip").load()
        #expect(text.statusCode == 200)
    }
}
