// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Runs one client in a process of its own, so that CPU time and memory are that client's.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "load", abstract: "Measure one client.")

    @Argument(help: "The client.") var client: ClientName
    @Argument(help: "The requests, in JSON.") var task: JSONArgument<LoadTask>
    @Option(help: "Seconds.") var seconds = 2.0
    @Option(help: "The number of loads, instead of a time.") var count: Int?
    @Option(help: "Loads before the measurement.") var warmUp = 200

    private var length: RunLength { count.map { .count($0) } ?? .time(.seconds(seconds)) }

    func validate() throws {
        guard let rate = task.value.rate else { return }
        if rate <= 0 { throw ValidationError("The rate must be greater than 0.") }
        if client.type == nil { throw ValidationError("\(client.rawValue) has no open loop here.") }
    }

    func run() async throws {
        ProcessUsage.raiseDescriptorLimit()
        let figures =
            if let type = client.type { try await measure(type.init(task.value)) } else { try measureFloor() }
        try tell([client.rawValue: figures])
    }

    /// The first load runs alone, so that HTTP/2 clients learn that one connection suffices.
    private func measure(_ client: any BenchmarkClient) async throws -> Figures {
        _ = try await client.load(0)
        if warmUp > 0 { _ = await loop(client, .count(warmUp)).run() }
        let before = ProcessUsage.now()
        let measurement = await runLoads(client)
        let figures = figures(measurement, since: before)
        try await client.shutdown()
        return figures
    }

    /// At the task's rate if it has one, and otherwise as fast as the loads end.
    private func runLoads(_ client: any BenchmarkClient) async -> Measurement {
        guard let rate = task.value.rate else { return await loop(client, length).run() }
        return await OpenLoop(client: client, rate: rate, length: length).run()
    }

    private func loop(_ client: any BenchmarkClient, _ length: RunLength) -> ClosedLoop {
        ClosedLoop(client: client, inFlight: task.value.inFlight, length: length)
    }

    private func measureFloor() throws -> Figures {
        let floor = try FloorClient(task.value)
        _ = floor.run(.count(1))
        if warmUp > 0 { _ = floor.run(.count(warmUp)) }
        let before = ProcessUsage.now()
        return figures(floor.run(length), since: before)
    }

    private func figures(_ measurement: Measurement, since before: ProcessUsage) -> Figures {
        let after = ProcessUsage.now()
        let loads = Double(max(1, measurement.completed))
        if let failure = measurement.failure {
            FileHandle.standardError.write(Data("\(client.rawValue): \(failure)\n".utf8))
        }
        var figures = measurement.figures
        figures[.cpu] = Double(after.cpu - before.cpu) / 1_000 / loads
        figures[.peak] = Double(after.peakResident) / 1e6
        figures[.threads] = Double(after.threads)
        if let start = before.allocations, let end = after.allocations {
            figures[.allocations] = Double(end - start) / loads
        }
        return figures
    }
}
