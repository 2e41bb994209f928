// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BenchmarkKit
import ObservationKit
import Swifty
import SwiftyObservability

/// Measures the time that constraints and interceptors add to a load with an immediate response.
struct HookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "Measure constraints, interceptors, metrics and spans."
    )

    private static let loadsPerRound = 500
    static let names =
        ["none", "constraint", "asked-constraint", "request-interceptor", "response-interceptor"]
        + ["metrics", "metrics-and-spans"]

    func run() async throws {
        let resources = Self.names.map { Self.interface($0) }.map {
            BaseResource("https://api.example.com", networkInterface: $0).get("small")
        }
        var nanoseconds = [[Double]](repeating: [], count: resources.count)
        for round in 0..<60 {
            // The first one has an advantage, so the order rotates.
            for offset in resources.indices {
                let index = (round + offset) % resources.count
                nanoseconds[index].append(try await time(resources[index]))
            }
        }
        try tell(Self.figures(nanoseconds))
    }

    private static func interface(_ name: String) -> Swifty {
        let constraints: [String: Constraint] = [
            "constraint": SatisfiedConstraint(), "asked-constraint": AskedConstraint(),
        ]
        return Swifty(transport: InstantTransport()) {
            if let constraint = constraints[name] { $0.use(constraint) }
            if name == "request-interceptor" { $0.use(FieldInterceptor(.from)) }
            if name == "response-interceptor" { $0.use(StatusInterceptor()) }
            if name.hasPrefix("metrics") { $0.use(.metrics(factory: CountingMetrics())) }
            if name == "metrics-and-spans" { $0.use(.tracing(tracer: RecordingTracer())) }
        }
    }

    private func time(_ resource: NetworkResource) async throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<Self.loadsPerRound { _ = try await resource.load() }
        return (ContinuousClock.now - start) / .nanoseconds(Self.loadsPerRound)
    }

    /// The added time is the median of the differences within a round.
    private static func figures(_ nanoseconds: [[Double]]) -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for (name, values) in zip(names, nanoseconds) {
            figures[name, default: [:]][.nanoseconds] = Samples(values)?.median
            if name == names[0] { continue }
            figures[name, default: [:]][.added] = Samples(zip(values, nanoseconds[0]).map { $0 - $1 })?.median
        }
        return figures
    }
}
