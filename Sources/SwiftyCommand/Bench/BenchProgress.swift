// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The line on standard error that shows how far a run is.
struct BenchProgress {
    private let task: Task<Void, Never>

    /// - Returns: `nil` if nobody sees it.
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
