// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Testing

@testable import SwiftyTestServers

@Suite("A compressed response that is cut", .timeLimit(.minutes(15)))
struct CutResponseTests {
    /// Text that compresses to some two thousand bytes.
    private static let text = Data(
        SeededBytes(seed: 7)[0..<2_500].flatMap { [UInt8(ascii: "a") + $0 % 26, UInt8(ascii: " ")] }
    )

    private static func response(_ fields: String, _ body: Data) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(fields)\r\n\r\n".utf8) + body
    }

    /// The response with each framing.
    private static func responses() throws -> [(name: String, bytes: [UInt8])] {
        let body = try #require(Compression.gzip.compress(text))
        let pieces = [body.prefix(700), body.dropFirst(700).prefix(1), body.dropFirst(701)]
        var chunked = Data()
        for piece in pieces {
            chunked += Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
        }
        return [
            ("Content-Length", response("Content-Length: \(body.count)", body)),
            ("chunked", response("Transfer-Encoding: chunked", chunked + Data("0\r\n\r\n".utf8))),
        ]
    }

    @Test("at any byte is never a success, in either framing")
    func cutInTransit() async throws {
        for (name, bytes) in try Self.responses() {
            // Connection n is cut after n bytes; the last one is whole.
            let server = try ScriptedServer { connection in
                [.readRequest, .send(Array(bytes.prefix(connection))), .close]
            }
            let outcomes = try await loads(bytes.count + 1, of: server.url)
            #expect(outcomes.filter { $0 == nil }.count == 1, "\(name)")
            let codes = Set(outcomes.compactMap { $0 })
            #expect(codes.isSubset(of: [.connectionLost, .malformedResponse]), "\(name): \(codes)")
        }
    }

    @Test("before it was framed is never a success, wherever it was cut")
    func cutBeforeFraming() async throws {
        let body = try #require(Compression.gzip.compress(Self.text))
        let server = try ScriptedServer { connection in
            let part = body.prefix(connection)
            return [.readRequest, .send(Self.response("Content-Length: \(part.count)", part)), .close]
        }
        let outcomes = try await loads(body.count + 1, of: server.url)
        // The two successes are the whole response and the one without content, which has nothing to decode.
        #expect(outcomes.filter { $0 == nil }.count == 2)
        #expect(Set(outcomes.compactMap { $0 }) == [.malformedResponse])
    }

    /// Loads this number of times, sixteen simultaneously. `nil` stands for a success with the right or empty content.
    private func loads(_ count: Int, of url: String) async throws -> [SwiftyError.Code?] {
        let resource = BaseResource(url, networkInterface: Swifty.shared).get("x").timeout(.seconds(60))
        return await withTaskGroup(of: [SwiftyError.Code?].self) { group in
            for worker in 0..<16 {
                group.addTask {
                    var outcomes: [SwiftyError.Code?] = []
                    for _ in stride(from: worker, to: count, by: 16) { outcomes.append(await outcome(of: resource)) }
                    return outcomes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func outcome(of resource: NetworkResource) async -> SwiftyError.Code? {
        do {
            let data = try await resource.load().data ?? Data()
            return data.isEmpty || data == Self.text ? nil : SwiftyError.Code(rawValue: "wrongContent")
        } catch {
            return error.code
        }
    }
}
