// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Sweeps over a response", .timeLimit(.minutes(15)))
struct SweepTests {
    /// About 2,000 bytes, by their kind of framing.
    enum Message: CaseIterable {
        case length
        case chunked
        case trailers
        case closing

        static let content = String((0..<1_900).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })

        var bytes: [UInt8] {
            let head = "HTTP/1.1 200 OK\r\nX-Some: field\r\n"
            let coded = head + "Transfer-Encoding: chunked\r\n\r\n"
            let chunks = "3e8\r\n\(Self.content.prefix(1_000))\r\n384;e=1\r\n\(Self.content.dropFirst(1_000))\r\n0\r\n"
            let text =
                switch self {
                case .length: head + "Content-Length: 1900\r\n\r\n" + Self.content
                case .chunked: coded + chunks + "\r\n"
                case .trailers: coded + chunks + "X-Trailer: value\r\nX-Other: value\r\n\r\n"
                case .closing: head + "\r\n" + Self.content
                }
            return Array(text.utf8)
        }
    }

    /// Loads each of the responses on a connection of its own.
    private func outcomes(of answers: [[UInt8]]) async throws -> [Result<TransportResponse, SwiftyError>] {
        let server = try ScriptedServer { [.readRequest, .send(answers[min($0, answers.count - 1)]), .close] }
        let transport = CurlTransport()
        let request = try NetworkRequest.to(server.url, timeouts: NetworkRequest.Timeouts(total: .seconds(60)))
        let results = await withTaskGroup(of: [Result<TransportResponse, SwiftyError>].self) { group in
            for lane in 0..<32 {
                group.addTask {
                    var results: [Result<TransportResponse, SwiftyError>] = []
                    for _ in stride(from: lane, to: answers.count, by: 32) {
                        results.append(await transport.result(of: request))
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(server.connectionCount == answers.count)
        await transport.shutdown()
        return results
    }

    @Test("a response truncated anywhere is never a silent success", arguments: Message.allCases)
    func cuts(_ message: Message) async throws {
        let bytes = message.bytes
        let results = try await outcomes(of: (0...bytes.count).map { Array(bytes.prefix($0)) })
        var successes: [TransportResponse] = []
        for result in results {
            switch result {
            case .success(let response): successes.append(response)
            case .failure(let error):
                #expect(error.code == .connectionLost || error.code == .malformedResponse, "\(error)")
            }
        }
        if message == .closing {
            #expect(successes.count == Message.content.utf8.count + 1)
            #expect(successes.allSatisfy { !$0.metrics.isCompletenessProven })
            #expect(successes.allSatisfy { Message.content.hasPrefix($0.text) })
        } else {
            #expect(successes.map(\.text) == [Message.content])
            #expect(successes.allSatisfy { $0.metrics.isCompletenessProven })
        }
    }

    @Test(
        "a response with any byte changed is an error or well-formed",
        arguments: Message.allCases,
        [0xFF, 0x20] as [UInt8]
    )
    func flips(_ message: Message, _ mask: UInt8) async throws {
        let bytes = message.bytes
        let answers = bytes.indices.map { index in
            var answer = bytes
            answer[index] ^= mask
            return answer
        }
        for result in try await outcomes(of: answers) {
            switch result {
            case .success(let response):
                #expect((200...999).contains(response.head.statusCode))
                #expect(response.content.count <= bytes.count)
            case .failure(let error):
                #expect(error.code != .timedOut, "\(error)")
                #expect(error.code != .transportFailed, "\(error)")
            }
        }
    }
}
