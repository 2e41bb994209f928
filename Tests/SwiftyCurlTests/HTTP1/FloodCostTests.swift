// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

/// The time and the memory of a process that loads an endless response, each in a process of its own.
@Suite("The cost of endless responses", .timeLimit(.minutes(15)))
struct FloodCostTests {
    private struct Cost {
        var seconds: Double
        var kilobytes: Int
        var status: Int
    }

    /// Runs a program and prints its time, its memory and its status.
    private static let measure = """
        import resource, subprocess, sys, time
        start = time.monotonic()
        run = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(time.monotonic() - start, memory, run.returncode)
        """

    private func cost(of url: String) async throws -> Cost {
        let command = Program.products.appending(path: "swifty").path
        let run = try await Program.run(ExternalProgram.python, ["-c", Self.measure, command, url])
        try #require(run.status == 0, "\(run.errors)")
        let words = run.output.split { $0.isWhitespace }
        return Cost(
            seconds: try #require(Double(words[0])),
            kilobytes: try #require(Int(words[1])),
            status: try #require(Int(words[2]))
        )
    }

    @Test("an endless response costs seconds and 8 MiB at most", arguments: ResponseLimitTests.endless)
    func flood(_ start: String, _ part: String) async throws {
        let short = try ScriptedServer([.readRequest, .respond(content: "short")])
        let base = try await cost(of: short.url)
        #expect(base.status == 0)
        let piece = String(repeating: part, count: 200_000 / part.utf8.count)
        let endless = try ScriptedServer([.readRequest, .send(start)] + (0..<200).map { _ in .send(piece) })
        let flood = try await cost(of: endless.url)
        #expect(flood.status != 0)
        #expect(flood.seconds < 10)
        #expect(flood.kilobytes - base.kilobytes < 8 << 10, "\(base) \(flood)")
        print("Flood: \(flood.seconds) s, \(flood.kilobytes - base.kilobytes) KiB more than a short response")
    }
}
