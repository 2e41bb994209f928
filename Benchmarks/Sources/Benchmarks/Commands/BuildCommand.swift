// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BenchmarkKit
import Swifty

/// Measures the building of a request.
struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "build", abstract: "Measure building requests.")

    func run() throws {
        let server = BaseResource("https://api.example.com/v3", networkInterface: Swifty(transport: InstantTransport()))
        var rounds = Rounds(count: 1_000)
        for _ in 0..<200 { rounds.time { _ = SampleRequest.build(server) } }
        try tell([ClientName.swifty.rawValue: rounds.figures])
    }
}

/// Times the same work in several rounds, and counts its allocations if they can be counted.
struct Rounds {
    let count: Int
    private var nanoseconds: [Double] = []
    private var allocations: [Double] = []

    init(count: Int) {
        self.count = count
    }

    mutating func time(_ work: () -> Void) {
        let before = ProcessUsage.now().allocations
        let start = ContinuousClock.now
        for _ in 0..<count { work() }
        nanoseconds.append((ContinuousClock.now - start) / .nanoseconds(count))
        if let before, let after = ProcessUsage.now().allocations {
            allocations.append(Double(after - before) / Double(count))
        }
    }

    /// The median of the times, and the least of the counts, to which other threads only add.
    var figures: Figures {
        var figures: Figures = [:]
        figures[.nanoseconds] = Samples(nanoseconds)?.median
        figures[.allocations] = Samples(allocations)?.least
        return figures
    }
}
