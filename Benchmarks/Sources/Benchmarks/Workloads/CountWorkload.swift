// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Counts the allocations and system calls of a load, in runs that are not timed.
struct CountWorkload: Workload {
    let loads: LoadWorkload

    var name: String { "counts-" + loads.name }
    var title: String { "counts per load of: " + loads.title }
    var contestants: [String] { loads.clients.map(\.rawValue) }
    let compared: [Metric] = []
    let mostTurns = 1

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for client in order {
            figures[client] = [:]
            figures[client]?[.allocations] = try allocations(client, bench)
            figures[client]?[.systemCalls] = try SystemCallCount.perLoad { try arguments(client, count: $0) }
        }
        return figures
    }

    private func allocations(_ client: String, _ bench: Bench) throws -> Double? {
        let words = try arguments(client, count: 5_000)
        return try ChildProcess.figures(of: words, environment: bench.countingEnvironment)[client]?[.allocations]
    }

    private func arguments(_ client: String, count: Int) throws -> [String] {
        var loads = loads
        loads.count = count
        return try loads.arguments(client, seconds: 0)
    }
}

/// Counts system calls with strace.
enum SystemCallCount {
    /// The difference of a long and a short run, so that the program's start and end do not count.
    ///
    /// - Returns: The calls for each load; `nil` where processes may not be traced.
    static func perLoad(_ arguments: (_ count: Int) throws -> [String]) throws -> Double? {
        guard let short = try count(arguments(500)), let long = try count(arguments(2_500)) else { return nil }
        return (long - short) / 2_000
    }

    private static func count(_ arguments: [String]) throws -> Double? {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("swifty-bench-\(getpid()).strace")
        defer { try? FileManager.default.removeItem(at: file) }
        let words = ["strace", "-f", "-c", "-o", file.path, ChildProcess.myself] + arguments
        guard (try? ChildProcess.output(of: words)) != nil else { return nil }
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        // Share of time, seconds, microseconds of a call, calls, errors if there were any, "total".
        let total = lines.last { $0.hasSuffix("total") }
        return total?.split(separator: " ").dropFirst(3).first.flatMap { Double($0) }
    }
}
