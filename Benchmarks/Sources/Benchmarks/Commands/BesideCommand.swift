// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import SwiftyCurl

/// Measures loads beside another load of the same transport whose server floods it.
struct BesideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "beside", abstract: "Measure loads beside a flood.")

    @Argument(help: "The name of the result.") var name: String
    @Argument(help: "The requests, in JSON.") var task: JSONArgument<LoadTask>
    @Option(help: "The URL of the server that floods.") var flood: String?
    @Option(help: "Seconds.") var seconds = 2.0

    func run() async throws {
        let client = try await SwiftyClient(task.value)
        _ = await loop(client, .count(200)).run()
        let flooded = flood.map { FloodedLoads(url: $0, interface: Swifty(transport: client.transport)) }
        let floods = Task { await flooded?.run() }
        let measurement = await loop(client, .time(.seconds(seconds))).run()
        floods.cancel()
        var figures = measurement.figures
        if let outcome = await floods.value {
            figures[.late] = outcome.late / .milliseconds(1)
            figures[.floods] = Double(outcome.count)
        }
        try await client.shutdown()
        try tell([name: figures])
    }

    private func loop(_ client: any BenchmarkClient, _ length: RunLength) -> ClosedLoop {
        ClosedLoop(client: client, inFlight: task.value.inFlight, length: length)
    }
}

/// Loads from a server that floods, one after the other.
private struct FloodedLoads {
    struct Outcome {
        var count = 0
        /// The longest time by which a load has exceeded its limit.
        var late = Duration.zero
    }

    private static let limit = Duration.milliseconds(500)

    let url: String
    let interface: Swifty

    func run() async -> Outcome {
        var outcome = Outcome()
        let resource = BaseResource(url, networkInterface: interface).get("flood").timeout(Self.limit)
        while !Task.isCancelled {
            let start = ContinuousClock.now
            _ = try? await resource.load()
            outcome.count += 1
            outcome.late = max(outcome.late, ContinuousClock.now - start - Self.limit)
        }
        return outcome
    }
}
