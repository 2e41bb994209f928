// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The results of a run, as JSON and as a table.
struct BenchReport {
    let results: BenchResults
    /// The duration of the run in seconds.
    let duration: Double
    let checksContent: Bool
    let wasInterrupted: Bool

    private var total: Tally { results.total }
    private var rate: Double { duration > 0 ? Double(total.completed) / duration : 0 }

    var json: JSONOutput {
        .members([
            "requests": .integer(total.requests),
            "completed": .integer(total.completed),
            "failed": .integer(total.failed),
            "cancelled": .integer(total.cancelled),
            "errors": Self.counts(total.errors.mapValues(\.count)),
            "attempts": .integer(total.attempts),
            "retries": .integer(total.retries),
            "connections": .integer(total.connections),
            "statuses": Self.counts(total.statuses.byName),
            "bytes": .integer(total.bytes),
            "duration": .number(duration),
            "rps": .number((rate * 10).rounded() / 10),
            "latency": latency,
            "contentMismatches": checksContent ? .integer(total.contentMismatches) : nil,
            "interrupted": .bool(wasInterrupted),
        ])
    }

    private var latency: JSONOutput {
        .members([
            "p50": seconds(0.5), "p90": seconds(0.9), "p99": seconds(0.99), "p999": seconds(0.999), "max": seconds(1),
        ])
    }

    private func seconds(_ fraction: Double) -> JSONOutput {
        .number(Double(results.latencies.value(at: fraction)) / 1e9)
    }

    private static func counts(_ counts: [String: Int]) -> JSONOutput {
        .object(counts.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .integer($0.value)) })
    }
}

extension BenchReport {
    var table: String {
        var rows: [(String, String)] = [
            ("requests", "\(total.requests) in \(Milliseconds.text(.seconds(duration)))"),
            ("completed", "\(total.completed), \(Int(rate.rounded())) a second"),
            ("failed", Self.list(total.failed, total.errors.mapValues(\.count))),
            ("cancelled", "\(total.cancelled)"),
            ("statuses", Self.list(total.statuses.byName)),
            ("content", ByteText.text(total.bytes)),
            ("attempts", "\(total.attempts), of these \(total.retries) retries"),
            ("connections", "\(total.connections)"),
        ]
        if checksContent { rows.append(("mismatches", "\(total.contentMismatches)")) }
        if wasInterrupted { rows.append(("interrupted", "yes")) }
        return Self.lines(rows) + "\nlatency\n" + Self.lines(percentiles)
    }

    private var percentiles: [(String, String)] {
        let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)]
        return shares.map { name, fraction in
            ("  \(name)", Milliseconds.text(.nanoseconds(results.latencies.value(at: fraction))))
        }
    }

    private static func lines(_ rows: [(String, String)]) -> String {
        rows.map { "\($0.0.padded(to: 13))\($0.1)\n" }.joined()
    }

    private static func list(_ count: Int, _ parts: [String: Int]) -> String {
        parts.isEmpty ? "\(count)" : "\(count): \(list(parts))"
    }

    private static func list(_ parts: [String: Int]) -> String {
        parts.isEmpty
            ? "none" : parts.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
    }
}

/// The progress line of a run on standard error.
struct BenchProgress {
    private let task: Task<Void, Never>

    /// - Returns: `nil` unless it is visible.
    static func show(_ run: BenchRun, isVisible: Bool) -> BenchProgress? {
        guard isVisible else { return nil }
        let task = Task {
            while (try? await Task.sleep(for: .milliseconds(200))) != nil {
                Console.writeError("\r\u{1B}[K\(text(run.results, run.elapsed, of: run.plan))")
            }
        }
        return BenchProgress(task: task)
    }

    /// Removes the line.
    func finish() async {
        task.cancel()
        await task.value
        Console.writeError("\r\u{1B}[K")
    }

    static func text(_ results: BenchResults, _ elapsed: Duration, of plan: BenchPlan) -> String {
        let total = results.total
        let seconds = max(elapsed / .seconds(1), 0.001)
        let goal = plan.loads.map { " of \($0)" } ?? ""
        let p99 = Milliseconds.text(.nanoseconds(results.latencies.value(at: 0.99)))
        let rate = Int((Double(total.requests) / seconds).rounded())
        return "\(total.requests)\(goal) loads, \(rate)/s, p99 \(p99), \(total.failed) failed, \(Int(seconds)) s"
    }
}
