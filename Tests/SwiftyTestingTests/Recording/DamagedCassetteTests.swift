// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import TestSupport
import Testing

@testable import SwiftyTestServers
@testable import SwiftyTesting

@Suite("A damaged cassette", .timeLimit(.minutes(15)))
struct DamagedCassetteTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("c.har") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A cassette with a text, an answer in Base64, a redirect and a failure.
    private func content() async throws -> Data {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty { $0.retry = RetryPolicy(maximumAttempts: 1) })
        try await withCassette(folder.path("c")) {
            try await base.post("anything").json(["ü": 1]).load()
            try await base.get("bytes/20?seed=1").load()
            try await base.get("redirect/1").load()
            let gone = BaseResource("http://127.0.0.1:1", networkInterface: Swifty()).get("x").retry(1)
            _ = try? await gone.load()
        }
        return try folder.data("c.har")
    }

    @Test("that is cut off anywhere is an error with the file and the line")
    func truncated() async throws {
        let content = try await content()
        #expect(content.last == .lineFeed)
        for count in 0..<content.count - 1 {
            try content.prefix(count).write(to: URL(filePath: path))
            let error = #expect(throws: SwiftyError.self) { try Cassette(contentsOf: path) }
            #expect(error?.code == .mockUnavailable)
            let lines = content.prefix(count).count { $0 == .lineFeed } + 1
            let text = (error?.reason ?? "").dropFirst(path.count + 1)
            let line = try #require(Int(text.prefix { $0 != ":" }), "\(error?.reason ?? "")")
            #expect((1...lines).contains(line), "\(error?.reason ?? "")")
            #expect(text.dropFirst("\(line)".count).hasPrefix(": the cassette is damaged: "))
        }
    }

    @Test("with any byte changed is an error, or has answers that are checked before they are given", arguments: 0..<8)
    func changed(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let content = try await content()
        for _ in 0..<300 {
            var copy = content
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = copy.startIndex + Int.random(in: 0..<copy.count, using: &random)
                copy[index] =
                    [UInt8(ascii: "9"), .quote, 0, 0xFF, .lineFeed, UInt8(ascii: "}")].randomElement(using: &random)
                    ?? 0
            }
            try copy.write(to: URL(filePath: path))
            do throws(SwiftyError) {
                for entry in try Cassette(contentsOf: path).entries { _ = try entry.mockResponse(path: path) }
            } catch {
                #expect(error.code == .mockUnavailable)
                #expect(error.reason.contains(path))
            }
        }
    }

    @Test("that is no file, or not the user's, is an error that names it")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let directory = #expect(throws: SwiftyError.self) { try Cassette(contentsOf: path) }
        #expect(directory?.reason.hasPrefix("the cassette \(path) cannot be read: ") == true)
        let missing = #expect(throws: SwiftyError.self) { try Cassette(contentsOf: path + "x") }
        #expect(missing?.reason == "there is no cassette \(path)x")
    }

    @Test("is not made of answers that were cut off or not read to their end")
    func incomplete() async throws {
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
        let cut = try ScriptedServer([.readRequest, .send(chunks), .close])
        let long = try LoopbackServer()
        let swifty = Swifty { $0.retry = RetryPolicy(maximumAttempts: 1) }
        try await withCassette(folder.path("c")) {
            let error = await #expect(throws: SwiftyError.self) {
                try await BaseResource(cut.url, networkInterface: swifty).get("x").load()
            }
            #expect(error?.code == .connectionLost)
            let stream = try await BaseResource(long.url, networkInterface: swifty).get("drip?numbytes=9&duration=60")
                .stream()
            for try await part in stream where !part.isEmpty { break }
            stream.cancel()
            try await BaseResource(long.url, networkInterface: swifty).get("get").load()
        }
        #expect(try Cassette(contentsOf: path).entries.map(\.request.url) == ["\(long.url)/get"])
    }
}
