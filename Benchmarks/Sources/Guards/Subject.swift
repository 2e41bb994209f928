// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import ObservationKit
import Swifty
import SwiftyObservability

/// A piece of work whose cost is guarded.
struct Subject {
    /// The name in `thresholds.json`.
    let name: String
    let meaning: String
    let cost: Cost

    /// The guarded cost.
    enum Cost {
        /// The allocations of work that is repeated `count` times, in sequence.
        case allocations(_ work: (_ count: Int) async throws -> Void)
        /// The bytes that a closure measures.
        case bytes(_ weigh: () async throws -> Double)
    }

    init(name: String, meaning: String, work: @escaping (_ count: Int) async throws -> Void) {
        (self.name, self.meaning, cost) = (name, meaning, .allocations(work))
    }

    private init(name: String, meaning: String, weigh: @escaping () async throws -> Double) {
        (self.name, self.meaning, cost) = (name, meaning, .bytes(weigh))
    }

    func measure() async throws -> Double {
        switch cost {
        case .allocations(let work): try await AllocationMeter.perRun(work)
        case .bytes(let weigh): try await weigh()
        }
    }

    static func all() -> [Subject] {
        [build] + pipeline + [connection, waiting]
    }

    private static var waiting: Subject {
        Subject(name: "waiting", meaning: "bytes of a load that waits", weigh: MemoryMeter.perWaitingLoad)
    }

    private static var build: Subject {
        let server = BaseResource("https://api.example.com/v3", networkInterface: Swifty(transport: InstantTransport()))
        return Subject(name: "build", meaning: "a GET with a query and two header fields, built with the DSL") {
            count in
            for _ in 0..<count { keep(SampleRequest.build(server)) }
        }
    }

    /// Loads without a network, without and with hooks.
    private static var pipeline: [Subject] {
        let field = FieldInterceptor(.userAgent)
        return [
            loads("load", "a load, with a response from memory", Swifty(transport: InstantTransport())),
            loads(
                "load-constraint",
                "the same with a constraint that is known to be satisfied",
                Swifty(transport: InstantTransport()) { $0.use(SatisfiedConstraint()) }
            ),
            loads(
                "load-asked-constraint",
                "the same with a satisfied constraint that is asked on a queue",
                Swifty(transport: InstantTransport()) { $0.use(AskedConstraint()) }
            ),
            loads(
                "load-request-interceptor",
                "the same with a request interceptor that sets a field",
                Swifty(transport: InstantTransport()) { $0.use(field) }
            ),
            loads(
                "load-response-interceptor",
                "the same with a response interceptor",
                Swifty(transport: InstantTransport()) { $0.use(StatusInterceptor()) }
            ),
            loads(
                "load-metrics",
                "the same with metrics",
                Swifty(transport: InstantTransport()) { $0.use(.metrics(factory: CountingMetrics())) }
            ),
            loads(
                "load-observed",
                "the same with metrics and spans",
                Swifty(transport: InstantTransport()) {
                    $0.use(.metrics(factory: CountingMetrics()), .tracing(tracer: RecordingTracer()))
                }
            ),
        ]
    }

    /// Loads over a kept connection of the default transport.
    private static var connection: Subject {
        // Started with the first load: valgrind, which may measure another subject, cannot start a second process.
        var started: (server: SmallServer, resource: NetworkResource)?
        return Subject(name: "load-connection", meaning: "a load over a kept connection, HTTP/1.1") { count in
            if started == nil {
                let server = try SmallServer()
                started = (server, BaseResource(server.url, networkInterface: Swifty()).get("small"))
            }
            guard let started else { return }
            try await repeatedly(started.resource, count)
        }
    }

    private static func loads(_ name: String, _ meaning: String, _ interface: Swifty) -> Subject {
        let resource = BaseResource("https://api.example.com", networkInterface: interface).get("small")
        return Subject(name: name, meaning: meaning) { try await repeatedly(resource, $0) }
    }

    private static func repeatedly(_ resource: NetworkResource, _ count: Int) async throws {
        for _ in 0..<count { _ = try await resource.load() }
    }

    /// Keeps the optimizer from removing a value.
    @inline(never)
    private static func keep(_ value: AnyObject) {}
}
