// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Failures", .timeLimit(.minutes(15)))
struct FailureTests {
    private let transport = CurlTransport()

    /// The error of a GET whose response is these bytes and the end of the connection.
    private func failure(answer: String, transport: CurlTransport? = nil) async throws -> SwiftyError {
        let server = try ScriptedServer([.readRequest, .send(answer), .close])
        return try await (transport ?? self.transport).failure(of: .to(server.url))
    }

    @Test("the error of a refused connection names the address")
    func refused() async throws {
        // Nothing listens there; a released port may already belong to another test.
        let url = "http://127.0.0.1:1"
        let error = try await transport.failure(of: .to(url, method: .post))
        #expect(error.code == .connectionFailed)
        #expect(error.stage == .connect)
        #expect(error.sent == .notSent)
        #expect(error.reason.contains("127.0.0.1:1"))
        #expect(error.reason.contains("refused"))
        #expect(error.request?.url == "\(url)/")
    }

    @Test("a name that does not exist is a failed name resolution")
    func unknownName() async throws {
        let error = try await transport.failure(of: .to("http://name.invalid/"))
        #expect(error.code == .nameResolutionFailed)
        #expect(error.stage == .nameLookup)
        #expect(error.sent == .notSent)
        #expect(error.reason.contains("name.invalid"))
    }

    @Test("a connection that ends without a response is lost")
    func emptyReply() async throws {
        let server = try ScriptedServer([.readRequest, .close])
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .connectionLost)
        #expect(error.stage == .firstByte)
        #expect(error.sent == .maybeSent)
        #expect(error.reason == "the server closed the connection without a response")
        #expect(error.head == nil)
    }

    @Test("a reset is a lost connection")
    func reset() async throws {
        let server = try ScriptedServer([.readRequest, .reset])
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .connectionLost)
        #expect(error.sent == .maybeSent)
    }

    @Test(
        "a head without its empty line is never a response",
        arguments: ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX-A: b\r\n", "HTTP/1.1 200 OK\r\nX-A", "HTTP/1.1 2"]
    )
    func truncatedHead(_ answer: String) async throws {
        let error = try await failure(answer: answer)
        #expect(error.code == .connectionLost || (answer.count < 15 && error.code == .malformedResponse))
        #expect(error.sent == .maybeSent)
        #expect(error.stage == (answer.count < 15 ? .firstByte : .head))
        #expect(error.content == nil)
    }

    @Test("truncated content causes an error that keeps the part that arrived")
    func shortContent() async throws {
        let error = try await failure(answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nX-A: b\r\n\r\nshort")
        #expect(error.code == .connectionLost)
        #expect(error.stage == .content)
        #expect(error.sent == .responded)
        #expect(error.statusCode == 200)
        #expect(error.head?.headers.count == 2)
        #expect(error.content == Data("short".utf8))
        #expect(error.transfer?.responseContentBytes == 5)
    }

    @Test("truncated chunks cause an error", arguments: ["5\r\nab", "5\r\nabcde\r\n", "2\r\nab\r\n0\r\n", ""])
    func truncatedChunks(_ chunks: String) async throws {
        let error = try await failure(answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        #expect(error.code == .connectionLost)
        #expect(error.stage == .content)
        #expect(error.sent == .responded)
    }

    @Test("chunks without a valid size are malformed", arguments: ["xyz\r\n", "-1\r\n", "FFFFFFFFFFFFFFFFF\r\n"])
    func malformedChunks(_ chunks: String) async throws {
        let error = try await failure(answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        #expect(error.code == .malformedResponse)
        #expect(error.sent == .responded)
    }

    @Test(
        "anything other than HTTP is malformed",
        arguments: [
            "SSH-2.0-OpenSSH_9.2p1 Debian\r\n", "hello\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 99 Low\r\n\r\n",
            "HTTP/7.3 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
            "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
        ]
    )
    func notHTTP(_ answer: String) async throws {
        let error = try await failure(answer: answer)
        #expect(error.code == .malformedResponse, "\(error)")
        #expect(error.sent == .maybeSent)
    }

    @Test(
        "framing that two readers could understand differently is malformed",
        arguments: [
            "Content-Length: 3\r\nContent-Length: 5", "Content-Length: 3abc", "Content-Length: +3",
            "Content-Length: 99999999999999999999999", "Content-Length : 3", "Content-Length: 3, 5",
            "Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 1\r\n 2", " X: y",
        ]
    )
    func ambiguousFraming(_ fields: String) async throws {
        let error = try await failure(answer: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabc")
        #expect(error.code == .malformedResponse, "\(error)")
    }

    @Test("an unrequested switch of protocols is malformed immediately")
    func switchingProtocols() async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 101 Switching Protocols\r\n\r\n"), .stall])
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .malformedResponse)
        #expect(error.reason.contains("101"))
    }

    @Test("header fields beyond the limit are too large")
    func largeHead() async throws {
        let field = "X-A: " + String(repeating: "a", count: 1000) + "\r\n"
        let many = "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 300) + "\r\n"
        #expect(try await failure(answer: many).code == .responseTooLarge)
        let long = "HTTP/1.1 200 OK\r\nX-A: " + String(repeating: "a", count: 1_000_000) + "\r\n\r\n"
        #expect(try await failure(answer: long).code == .responseTooLarge)
        let hints = String(repeating: "HTTP/1.1 103 Early\r\n\r\n", count: 20_000)
        #expect(try await failure(answer: hints).code == .responseTooLarge)
        let small = CurlTransport(configuration: .with { $0.settings.responses.headLimit = 100 })
        let answer = "HTTP/1.1 200 OK\r\n\(field)\r\n"
        #expect(try await failure(answer: answer, transport: small).code == .responseTooLarge)
    }

    @Test("content beyond the limit is too large, announced or not")
    func largeContent() async throws {
        let small = CurlTransport(configuration: .with { $0.settings.responses.contentLimit = 100 })
        let announced = try await failure(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
            transport: small
        )
        #expect(announced.code == .responseTooLarge)
        #expect(announced.sent == .responded)
        #expect(announced.statusCode == 200)
        let surprising = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 101)
        #expect(try await failure(answer: surprising, transport: small).code == .responseTooLarge)
        let huge = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\n"
        #expect(try await failure(answer: huge).code == .responseTooLarge)
    }

    @Test("an error's description is one line")
    func description() async throws {
        let error = try await failure(answer: "HTTP/1.1 20\u{1B}[31m\r\n\r\n")
        #expect(!error.description.contains { $0.isNewline || $0 == "\u{1B}" })
    }
}
