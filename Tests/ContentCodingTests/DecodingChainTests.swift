// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty
@testable import SwiftyTestServers

@Suite("A chain of content codings", .timeLimit(.minutes(15)))
struct DecodingChainTests {
    /// A text in every built-in coding; made with Python, brotli and zstd.
    private static var samples: [(coding: ContentCoding, content: String)] {
        var samples: [(ContentCoding, String)] = [
            (.gzip, "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA=="),
            (.deflate, "eJzLSM3JyVfIQCcBaAMIsQ=="),
            (.deflate, "y0jNyclXyEAnAQ=="),
        ]
        #if Brotli
        samples.append((.brotli, "obAAwG+kdPMmqjK0ZAN5C3niAMcB"))
        #endif
        #if Zstd
        samples.append((.zstd, "KLUv/SQXZQAAMGhlbGxvIAEAmUsRF16uDQ=="))
        #endif
        return samples
    }

    private static let text = Data("hello hello hello hello".utf8)
    private static let limits = DecodingLimits(bytes: 32 << 20, ratio: 256)

    private func decode(_ content: Data, _ codings: [ContentCoding]) throws -> Data {
        var chain = try DecodingChain(codings, Self.limits)
        return try chain.decode(content)
    }

    /// Compresses the given number of times.
    private func compress(_ data: Data, times: Int) throws -> Data {
        try (0..<times).reduce(data) { data, _ in try #require(Compression.gzip.compress(data)) }
    }

    @Test("decodes each sample, and two of them in sequence where the coding allows it")
    func samples() throws {
        for (coding, base64) in Self.samples {
            let body = try #require(Data(base64Encoded: base64))
            #expect(try decode(body, [coding]) == Self.text, "\(coding)")
            let isRepeatable = ![.deflate, ContentCoding(name: "br")].contains(coding)
            if isRepeatable { #expect(try decode(body + body, [coding]) == Self.text + Self.text, "\(coding)") }
        }
    }

    @Test("never decodes a sample that is cut off, followed by other bytes or changed in one byte to another text")
    func damage() throws {
        for (coding, base64) in Self.samples {
            let body = try #require(Data(base64Encoded: base64))
            for count in 1..<body.count {
                #expect(throws: SwiftyError.self, "\(coding) \(count)") {
                    try decode(body.prefix(count), [coding])
                }
            }
            #expect(throws: SwiftyError.self, "\(coding)") { try decode(body + Data([1, 2, 3, 4]), [coding]) }
            for index in body.indices {
                var changed = body
                changed[index] ^= 0xFF
                // Bare deflate and brotli have no checksum: they may decode to another text, but within the limits.
                let result = try? decode(changed, [coding])
                #expect(result?.count ?? 0 <= Self.limits.bytes)
            }
        }
    }

    @Test("decodes long contents, whatever the sizes of the decoded pieces", arguments: [1, 2, 5])
    func long(times: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let content = Data((0..<300_000).map { _ in UInt8.random(in: 0..<4, using: &generator) })
        let coded = try compress(content, times: times)
        #expect(try decode(coded, Array(repeating: .gzip, count: times)) == content)
        let zlib = try #require(Compression.deflate.compress(content))
        #expect(try decode(zlib, [.deflate]) == content)
        #expect(throws: SwiftyError.self) {
            try decode(coded.prefix(coded.count - 1), Array(repeating: .gzip, count: times))
        }
    }

    @Test("stops a bomb at little more than 4 MiB, however often it is compressed", arguments: [1, 2, 5])
    func bombs(times: Int) throws {
        let bomb = try compress(Data(count: 64 << 20), times: times)
        try expectEnd(of: bomb, Array(repeating: .gzip, count: times))
    }

    @Test("stops a bomb at little more than 4 MiB in every other coding")
    func otherBombs() throws {
        try expectEnd(of: try #require(Compression.deflate.compress(Data(count: 64 << 20))), [.deflate])
        #if Brotli
        // 16 MiB of zeros.
        try expectEnd(of: try #require(Data(base64Encoded: "z///f/gnAOKxQCD3/n8=")), [.brotli])
        #endif
    }

    private func expectEnd(of bomb: Data, _ codings: [ContentCoding]) throws {
        var chain = try DecodingChain(codings, Self.limits)
        var failure: SwiftyError?
        do throws(SwiftyError) { _ = try chain.decode(bomb) } catch { failure = error }
        #expect(failure?.code == .responseTooLarge)
        #expect(chain.counts.allSatisfy { $0 <= DecodingLimits.ratioThreshold + 64 << 10 })
    }

    @Test("checks the ratio above 4 MiB, and the size from the beginning")
    func limits() throws {
        let zeros = try compress(Data(count: 4 << 20), times: 1)
        #expect(try decode(zeros, [.gzip]).count == 4 << 20)
        var small = try DecodingChain([.gzip], DecodingLimits(bytes: 100, ratio: .max))
        #expect(throws: SwiftyError.self) { try small.decode(zeros) }
    }
}
