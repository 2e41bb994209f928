// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("HTTP/2 servers that send a million frames without use", .serialized, .timeLimit(.minutes(15)))
struct FloodTests {
    private static let count = 1_000_000

    /// The codes that are expected: that of the end of the stream that comes before the flood, if one does, and that of
    /// the flood, which also ends the next load on the connection.
    private static func codes(_ flood: Flood) -> [SwiftyError.Code] {
        switch flood {
        case .reset, .endedHeads, .endedData: [.connectionLost, .malformedResponse]
        case .hints: [.responseTooLarge, .malformedResponse]
        default: [.malformedResponse]
        }
    }

    private func request(_ flood: Flood, _ peer: TLSPeer) throws -> NetworkRequest {
        try .to(peer.url("flood/\(flood)"), method: .post, content: flood.script(count: Self.count))
    }

    @Test(
        "lose the connection with a typed error, and loads to another server do not wait",
        arguments: Flood.allCases
    )
    func flood(_ flood: Flood) async throws {
        let peer = try await TLSPeer("http2_frames.py")
        let neighbour = try await NeighbourLoads()
        let transport = peer.transport { $0.loops = 1 }
        let task = Task {
            var errors: [SwiftyError] = []
            for _ in 0..<10 { errors.append(try await transport.failure(of: request(flood, peer))) }
            return errors
        }
        let times = try await neighbour.times(over: transport, until: task)
        for error in try await task.value { #expect(Self.codes(flood).contains(error.code), "\(error)") }
        let p99 = times[times.count * 99 / 100]
        print("\(times.count) loads beside a flood of \(flood): p99 \(p99)")
        #expect(p99 < .seconds(60))
        #expect(try await transport.get(peer.url("ok")).text == "ok")
        await transport.shutdown()
    }

    /// The largest memory of `swifty` that sends a script, in KiB.
    private func memory(_ script: Data, _ path: String, _ peer: TLSPeer) async throws -> Int {
        let folder = try TemporaryFolder()
        let content = try folder.file("script", script).path
        let program = Program.products.appending(path: "swifty").path
        let measure = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let words = ["POST", peer.url(path), "--verify", "no", "--data", "@\(content)"]
        let run = try await Program.run(ExternalProgram.python, ["-c", measure, program] + words)
        return try #require(Int(run.output.split(separator: "\n").last ?? ""), "\(run.errors)")
    }

    @Test("cost at most 32 MiB of memory", arguments: Flood.allCases)
    func memory(_ flood: Flood) async throws {
        let peer = try await TLSPeer("http2_frames.py")
        let usual = try await memory(Data(FrameBytes.answer), "frames/usual", peer)
        let flooded = try await memory(flood.script(count: Self.count), "flood/\(flood)", peer)
        print("a flood of \(flood): \(flooded - usual) KiB more memory")
        #expect(flooded - usual < 32 << 10)
    }
}
