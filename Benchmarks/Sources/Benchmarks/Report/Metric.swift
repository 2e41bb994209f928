// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A measured quantity, in the order of a table's columns.
enum Metric: String, Codable, CaseIterable, CodingKeyRepresentable {
    case rate, cpu, p50, p99, p999, nanoseconds, added, milliseconds, seconds, cpuSeconds, allocations, systemCalls
    case instructions, memory, peak, threads, connections, floods, late, failed

    var title: String {
        switch self {
        case .rate: "loads/s"
        case .cpu: "CPU µs/load"
        case .p50: "p50 ms"
        case .p99: "p99 ms"
        case .p999: "p99.9 ms"
        case .nanoseconds: "ns"
        case .added: "ns over none"
        case .milliseconds: "ms"
        case .seconds: "s"
        case .cpuSeconds: "CPU s"
        case .allocations: "allocations"
        case .systemCalls: "system calls"
        case .instructions: "instructions"
        case .memory: "KiB/load"
        case .peak: "peak MB"
        case .threads: "threads"
        case .connections: "connections"
        case .floods: "flooded loads"
        case .late: "limit exceeded by ms"
        case .failed: "failed"
        }
    }

    var digits: Int {
        switch self {
        case .cpu, .allocations, .seconds, .memory, .milliseconds: 1
        case .p50, .p99, .p999, .systemCalls, .late, .cpuSeconds: 2
        default: 0
        }
    }
}

/// The results of one contestant in one turn.
typealias Figures = [Metric: Double]
