// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

/// Compares our parser with h11 and with llhttp, which httptools contains.
@Suite("Generated responses", .timeLimit(.minutes(15)))
struct ParserComparisonTests {
    private static let seed: UInt64 = 14
    private static let responses: [GeneratedResponse] = {
        var generator = ResponseGenerator(seed: seed)
        return (0..<10_000).map { _ in generator.next() }
    }()

    @Test("are taken as h11 and llhttp take them, apart from the differences of the table")
    func comparison() async throws {
        print("Generated responses: seed \(Self.seed)")
        var missing = Set(
            ParserDifference.table.indices.flatMap { row in
                ParserDifference.table[row].peers.map { Row(index: row, peer: $0) }
            }
        )
        var accepted = 0
        for (response, theirs) in zip(Self.responses, try await theirs()) {
            let ours = ParsedResponse(response, rules: TransportSettings.Responses())
            let results = zip(ParserDifference.Peer.allCases, theirs)
            if ([ours] + theirs.compactMap { $0 }).allSatisfy({ $0.verdict == ParsedResponse.complete }) {
                accepted += 1
            }
            for case (let peer, let their?) in results {
                guard let difference = ParserDifference.between(ours, their, peer) else { continue }
                if let row = row(of: difference, response, peer) {
                    missing.remove(row)
                } else {
                    Issue.record("\(peer) \(response.text.debugDescription): \(difference)\n\(ours)\n\(their)")
                }
            }
        }
        #expect(accepted > 4_000)
        for row in missing { Issue.record("no difference \"\(row.name)\" from \(row.peer) is left") }
    }

    private struct Row: Hashable {
        var index: Int
        var peer: ParserDifference.Peer

        var name: String { ParserDifference.table[index].name }
    }

    private func row(
        of difference: ParserDifference.Found,
        _ response: GeneratedResponse,
        _ peer: ParserDifference.Peer
    ) -> Row? {
        let index = ParserDifference.table.firstIndex { $0.contains(difference, response.text, peer) }
        return index.map { Row(index: $0, peer: peer) }
    }

    @Test(
        "are understood equally in one piece and in pieces",
        arguments: [
            TransportSettings.Responses.Strictness.strict, .lenient,
        ]
    )
    func pieces(_ strictness: TransportSettings.Responses.Strictness) {
        let rules = TransportSettings.Responses.with { $0.strictness = strictness }
        var random = SplitMix(seed: Self.seed)
        for response in Self.responses {
            let whole = ParsedResponse(response, rules: rules)
            let longest = Int.random(in: 1...40, using: &random)
            let pieces = ParsedResponse(response, rules: rules) { Int.random(in: 1...longest, using: &random) }
            if whole != pieces { Issue.record("\(response.text.debugDescription): \(whole), in pieces \(pieces)") }
        }
    }

    /// The results of h11 and of httptools.
    private func theirs() async throws -> [[ParsedResponse?]] {
        let folder = try TemporaryFolder()
        let input = try folder.file("responses", Data(Self.responses.flatMap(\.record)))
        let script = ExternalProgram.peer("parsers.py")
        let run = try await Program.run(ExternalProgram.python, [script, input.path, folder.path("results")])
        guard run.status == 0 else { throw ExternalProgram.Unavailable(description: "parsers.py: \(run.errors)") }
        return try JSONDecoder().decode([[ParsedResponse?]].self, from: folder.data("results"))
    }
}

extension GeneratedResponse {
    /// The form that `Tests/Peers/parsers.py` reads.
    fileprivate var record: [UInt8] {
        let length = withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) }
        return [isToHead ? UInt8(ascii: "H") : UInt8(ascii: "G")] + length + bytes
    }
}
