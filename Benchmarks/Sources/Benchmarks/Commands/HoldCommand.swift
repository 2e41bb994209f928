// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BenchmarkKit
import Foundation

/// Measures the memory of many loads that wait for their responses simultaneously.
struct HoldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "hold", abstract: "Measure loads that wait.")

    @Argument(help: "The client.") var client: ClientName
    @Argument(help: "The port of the small server.") var port: Int
    @Argument(help: "The number of loads.") var count: Int

    private var task: LoadTask { LoadTask(url: "http://127.0.0.1:\(port)/hold", inFlight: count) }

    func run() async throws {
        ProcessUsage.raiseDescriptorLimit()
        let held = HeldLoads(port: port, count: count)
        let figures =
            if let type = client.type { try await measure(type.init(task), held) } else { try await measureFloor(held) }
        try tell([client.rawValue: figures])
    }

    private func measure(_ client: any BenchmarkClient, _ held: HeldLoads) async throws -> Figures {
        async let first = client.load(0)
        try await held.wait(for: 1)
        held.release()
        _ = try await first
        let before = ProcessUsage.now()
        let loop = ClosedLoop(client: client, inFlight: count, length: .count(count))
        async let measurement = loop.run()
        let after = try await held.whenAllWait()
        let figures = figures(before, after, await measurement)
        try await client.shutdown()
        return figures
    }

    private func measureFloor(_ held: HeldLoads) async throws -> Figures {
        // The floor makes its handles before the first load; they are part of the cost of a load.
        let before = ProcessUsage.now()
        let floor = try FloorClient(task)
        async let after = held.whenAllWait()
        let measurement = floor.run(.count(count))
        return figures(before, try await after, measurement)
    }

    private func figures(_ before: ProcessUsage, _ after: ProcessUsage, _ measurement: Measurement) -> Figures {
        [
            .memory: Double(after.resident - before.resident) / 1024 / Double(count),
            .threads: Double(after.threads), .peak: Double(after.peakResident) / 1e6,
            .failed: Double(count - measurement.completed),
        ]
    }
}

/// The loads that the small server holds.
private struct HeldLoads: Sendable {
    let port: Int
    let count: Int

    private struct TooFew: Error {
        let held: Int
    }

    /// Returns the memory of this process while all loads wait, and releases them.
    func whenAllWait() async throws -> ProcessUsage {
        defer { release() }
        try await wait(for: count)
        return ProcessUsage.now()
    }

    func wait(for count: Int) async throws {
        var held = 0
        for _ in 0..<2_400 {
            held = LocalQuestion(port: port, path: "/held").answer.flatMap { Int($0) } ?? 0
            if held >= count { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw TooFew(held: held)
    }

    func release() {
        _ = LocalQuestion(port: port, path: "/release").answer
    }
}
