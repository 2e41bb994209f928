// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A load generator that ignores the content of responses; no client can be faster on this machine.
enum MachineLimit: String {
    case wrk
    case h2load

    func measure(_ task: LoadTask, seconds: Double) throws -> Figures {
        let output = try ChildProcess.output(of: words(task, max(1, Int(seconds.rounded()))))
        return [.rate: rate(in: output)]
    }

    private func words(_ task: LoadTask, _ seconds: Int) -> [String] {
        let fields = task.fields.sorted { $0.key < $1.key }.flatMap { ["-H", "\($0.key): \($0.value)"] }
        switch self {
        case .wrk: return ["wrk", "-t", "1", "-c", "\(task.inFlight)", "-d", "\(seconds)"] + fields + [task.url]
        case .h2load: return ["h2load", "-c", "1", "-m", "\(task.inFlight)", "-D", "\(seconds)"] + fields + [task.url]
        }
    }

    /// "Requests/sec: 70000.12", or "finished in 2.00s, 52000.50 req/s, …".
    private func rate(in output: String) -> Double {
        switch self {
        case .wrk:
            let line = output.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
            return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
        case .h2load:
            let line = output.split(separator: "\n").first { $0.hasPrefix("finished in") }
            return line?.split(separator: " ").dropFirst(3).first.flatMap { Double($0) } ?? 0
        }
    }
}
