// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A figure that Swifty should reach.
struct Target {
    enum Bound {
        case atLeast(Double)
        case atMost(Double)
    }

    let workload: String
    var contestant = ClientName.swifty.rawValue
    let metric: Metric
    /// The client whose value of the same turn divides the figure; `nil` for the figure itself.
    let baseline: ClientName?
    let bound: Bound

    init(_ workload: String, _ metric: Metric, over baseline: ClientName?, _ bound: Bound) {
        self.workload = workload
        self.metric = metric
        self.baseline = baseline
        self.bound = bound
    }

    private static let loads =
        ["json-http1", "json-https1", "json-http2"].flatMap { name in [1, 16, 64, 256].map { "\(name)-\($0)" } } + [
            "json-post"
        ]

    static let all: [Target] =
        [
            Target("json-http1-64", .rate, over: .asyncHTTPClient, .atLeast(2)),
            Target("json-http1-64", .cpu, over: .asyncHTTPClient, .atMost(0.42)),
            Target("json-http1-64", .rate, over: .urlSession, .atLeast(10)),
            Target("json-http1-64", .cpu, over: .floor, .atMost(1.15)),
            Target("json-http1-1", .rate, over: .asyncHTTPClient, .atLeast(1.6)),
            Target("json-http1-256", .rate, over: .asyncHTTPClient, .atLeast(2.3)),
            Target("json-http1-256", .cpu, over: .floor, .atMost(1)),
            Target("json-https1-64", .cpu, over: .asyncHTTPClient, .atMost(0.42)),
            Target("json-https1-64", .cpu, over: .floor, .atMost(1.1)),
            Target("json-http2-1", .rate, over: .asyncHTTPClient, .atLeast(2)),
            Target("json-http2-64", .rate, over: .asyncHTTPClient, .atLeast(4)),
            Target("json-http2-64", .cpu, over: .asyncHTTPClient, .atMost(0.25)),
            Target("json-http2-64", .cpu, over: .floor, .atMost(0.75)),
            Target("json-post", .rate, over: .asyncHTTPClient, .atLeast(1.8)),
            Target("idle-memory", .memory, over: .asyncHTTPClient, .atMost(0.45)),
            Target("large-download", .rate, over: .floor, .atLeast(0.9)),
            Target("large-upload", .rate, over: .floor, .atLeast(0.9)),
            Target("stream-download", .seconds, over: .curl, .atMost(1 / 0.9)),
            Target("stream-download", .cpuSeconds, over: .curl, .atMost(1.1)),
            Target("stream-download-http2", .seconds, over: .curl, .atMost(1 / 0.9)),
            Target("stream-download-http2", .cpuSeconds, over: .curl, .atMost(1.1)),
            Target("stream-upload", .seconds, over: .curl, .atMost(1 / 0.9)),
            Target("stream-upload", .cpuSeconds, over: .curl, .atMost(1.1)),
            Target("build-request", .nanoseconds, over: nil, .atMost(2000)),
            Target("build-request", .allocations, over: nil, .atMost(12)),
            Target("hooks", .added, over: nil, .atMost(1000)).of("constraint"),
            Target("hooks", .added, over: nil, .atMost(1000)).of("request-interceptor"),
            Target("hooks", .added, over: nil, .atMost(1000)).of("response-interceptor"),
            Target("cold-start", .milliseconds, over: .asyncHTTPClient, .atMost(0.7)),
            Target("json-http1-1", .rate, over: .reqwest, .atLeast(0.95)),
            Target("json-http1-1", .cpu, over: .reqwest, .atMost(1.25)),
            Target("json-http1-64", .rate, over: .reqwest, .atLeast(1)),
            Target("json-http1-64", .cpu, over: .reqwest, .atMost(1)),
            Target("json-https1-1", .rate, over: .reqwest, .atLeast(0.95)),
            Target("json-https1-1", .cpu, over: .reqwest, .atMost(1.25)),
            Target("json-https1-64", .rate, over: .reqwest, .atLeast(1)),
            Target("json-https1-64", .cpu, over: .reqwest, .atMost(1)),
            Target("json-http2-1", .rate, over: .reqwest, .atLeast(0.95)),
            Target("json-http2-1", .cpu, over: .reqwest, .atMost(1.25)),
            Target("json-http2-64", .rate, over: .reqwest, .atLeast(1)),
            Target("json-http2-64", .cpu, over: .reqwest, .atMost(1)),
            Target("clean-build", .seconds, over: .asyncHTTPClient, .atMost(0.25)),
        ] + loads.map { Target($0, .p99, over: .asyncHTTPClient, .atMost(1)) }

    private func of(_ contestant: String) -> Target {
        var target = self
        target.contestant = contestant
        return target
    }

    /// The measured values; `nil` if there are none.
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
