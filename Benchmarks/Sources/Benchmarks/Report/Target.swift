// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A figure that Swifty is to reach.
struct Target {
    enum Bound {
        case atLeast(Double)
        case atMost(Double)
    }

    let workload: String
    var contestant = ClientName.swifty.rawValue
    let metric: Metric
    /// Whose value of the same turn the figure is divided by; `nil` if it counts as it is.
    let baseline: ClientName?
    let bound: Bound

    init(_ workload: String, _ metric: Metric, over baseline: ClientName?, _ bound: Bound) {
        self.workload = workload
        self.metric = metric
        self.baseline = baseline
        self.bound = bound
    }

    private static let loads = ["a-1", "a-16", "a-64", "a-256", "b-1", "b-16", "b-64", "b-256", "c"]

    static let all: [Target] =
        [
            Target("a-64", .rate, over: .asyncHTTPClient, .atLeast(2)),
            Target("a-64", .cpu, over: .asyncHTTPClient, .atMost(0.5)),
            Target("a-64", .rate, over: .urlSession, .atLeast(10)),
            Target("a-64", .cpu, over: .floor, .atMost(1.25)),
            Target("a-1", .rate, over: .asyncHTTPClient, .atLeast(1.5)),
            Target("a-256", .rate, over: .asyncHTTPClient, .atLeast(1.6)),
            Target("b-64", .rate, over: .asyncHTTPClient, .atLeast(1.8)),
            Target("c", .rate, over: .asyncHTTPClient, .atLeast(1.8)),
            Target("d", .memory, over: .asyncHTTPClient, .atMost(0.7)),
            Target("e-down", .rate, over: .floor, .atLeast(0.9)),
            Target("e-up", .rate, over: .floor, .atLeast(0.9)),
            Target("f", .nanoseconds, over: nil, .atMost(2000)),
            Target("f", .allocations, over: nil, .atMost(12)),
            Target("g", .added, over: nil, .atMost(1000)).of("constraint"),
            Target("g", .added, over: nil, .atMost(1000)).of("request-interceptor"),
            Target("g", .added, over: nil, .atMost(1000)).of("response-interceptor"),
            Target("h", .milliseconds, over: .asyncHTTPClient, .atMost(0.7)),
            Target("k", .seconds, over: .asyncHTTPClient, .atMost(0.25)),
        ] + loads.map { Target($0, .p99, over: .asyncHTTPClient, .atMost(1)) }

    private func of(_ contestant: String) -> Target {
        var target = self
        target.contestant = contestant
        return target
    }

    /// What was measured; `nil` if nothing was.
    func samples(in results: [WorkloadResult]) -> Samples? {
        results.first { $0.name == workload }?.samples(contestant, metric, over: baseline?.rawValue)
    }

    func isMet(by value: Double) -> Bool {
        switch bound {
        case .atLeast(let bound): value >= bound
        case .atMost(let bound): value <= bound
        }
    }
}
