// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Swifty

/// Bodies as Python's zlib decodes them.
@Suite("A compressed upload", .timeLimit(.minutes(15)))
struct CompressedUploadTests {
    /// The response of the peer: coding, announced length, decoded length, and the digest of the decoded content.
    private func facts(_ resource: NetworkResource) async throws -> [String] {
        try await resource.load().text().split(separator: " ").map(String.init)
    }

    @Test("of memory keeps a length, and arrives whole")
    func memory() async throws {
        let peer = try await PeerServer.forms()
        let base = BaseResource(peer.url, networkInterface: Swifty())
        let text = String(repeating: "swift ", count: 50_000)
        let plain = try await facts(base.post("content").text(text))
        let compressed = try await facts(base.post("content").text(text).compressed())
        #expect(plain.prefix(3) == ["none", "300000", "300000"])
        #expect(compressed[0] == "gzip")
        #expect(Int(compressed[1]).map { $0 < 3_000 } == true)
        #expect(compressed.suffix(2) == plain.suffix(2))
    }

    @Test("of a file or stream has an unknown length, and arrives whole", arguments: [1, 6, 9])
    func sources(level: Int) async throws {
        let folder = try TemporaryFolder()
        let file = try await largeFile(in: folder, megabytes: 3)
        let text = try folder.file("a.txt", String(repeating: "0123456789abcdef", count: 100_000)).path
        let peer = try await PeerServer.forms()
        let base = BaseResource(peer.url, networkInterface: Swifty())
        let random = try await facts(base.put("content").file(file.path).compressed(level: level))
        #expect(random == ["gzip", "none", "\(3 << 20)", file.digest])
        let repeated = try await facts(
            base.put("content").file(text, contentType: "text/plain").compressed(level: level)
        )
        #expect(repeated.prefix(3) == ["gzip", "none", "1600000"])
        let written = try await facts(
            base.put("content").stream { writer in
                for _ in 0..<100_000 { try await writer.write("0123456789abcdef") }
            }.compressed(level: level)
        )
        #expect(written == repeated)
        let empty = try await facts(base.put("content").stream { _ in }.compressed(level: level))
        #expect(empty.prefix(3) == ["gzip", "none", "0"])
    }

    @Test("follows the configuration, unless the request refuses")
    func configuration() async throws {
        let peer = try await PeerServer.forms()
        let base = BaseResource(
            peer.url,
            networkInterface: Swifty { $0.requestCompression = RequestCompression(threshold: 10) }
        )
        let text = String(repeating: "a", count: 100)
        #expect(try await facts(base.post("content").text(text))[0] == "gzip")
        #expect(try await facts(base.post("content").text(text).compressed(.none))[0] == "none")
        #expect(try await facts(base.post("content").text(text).compressed())[0] == "none")
        #expect(try await facts(base.post("content").text("aaaaa"))[0] == "none")
        #expect(try await facts(base.post("content"))[0] == "none")
    }

    @Test("of memory that would become no smaller stays as it is")
    func incompressible() async throws {
        var generator = SplitMix(seed: 1)
        let data = Data((0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let peer = try await PeerServer.forms()
        let base = BaseResource(peer.url, networkInterface: Swifty())
        let facts = try await facts(base.post("content").data(data).compressed())
        #expect(facts.prefix(3) == ["none", "2000", "2000"])
    }

    @Test("is an encoder whose parts may have any size")
    func parts() throws {
        let data = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let whole = try #require(GzipEncoder.encode(data, level: 6))
        for size in [1 << 10, 99_999, 700_000] {
            let encoder = try #require(GzipEncoder(level: 6))
            var (rest, output) = (data, Data())
            while !rest.isEmpty {
                output += encoder.encode(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(output + encoder.finish() == whole)
        }
        #expect(GzipEncoder.encode(data, level: -7) == GzipEncoder.encode(data, level: 1))
        #expect(GzipEncoder.encode(data, level: 77) == GzipEncoder.encode(data, level: 9))
    }

    @Test("ends its source when it is cancelled, and can be sent again")
    func source() async throws {
        let draft = Swifty().api.put("x").stream { writer in try await writer.write(Data(count: 100_000)) }.draft
        let source = EncodedSource(try #require(try await draft.makeRequest().content.source), GzipSourceCoding(6))
        var first = Data()
        while let part = try await source.next() { first += part }
        #expect(try await source.next() == nil)
        try await source.rewind()
        let again = try #require(source.replayed())
        var second = Data()
        while let part = try await source.next() { second += part }
        source.cancel()
        await #expect(throws: CancellationError.self) { _ = try await source.next() }
        var third = Data()
        while let part = try await again.next() { third += part }
        #expect(first == second)
        #expect(first == third)
    }
}
