// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Swifty

/// `GET /health`: whether the upstreams answer.
///
/// The status is 200 even if they do not: an orchestrator that stops instances without a healthy upstream would stop
/// all of them at once.
struct HealthRoute: Sendable {
    struct Report: ResponseEncodable, Decodable, Sendable {
        struct Upstream: Codable, Sendable {
            var isHealthy: Bool
            var circuit: String
            var milliseconds: Int
            var error: String?
        }

        var status: String
        var upstreams: [String: Upstream]
    }

    let upstreams: Upstreams

    func report() async -> Report {
        async let inventory = check(upstreams.inventory.health())
        async let prices = check(upstreams.prices.health())
        let all = await ["inventory": inventory, "prices": prices]
        return Report(status: all.values.allSatisfy(\.isHealthy) ? "healthy" : "degraded", upstreams: all)
    }

    private func check(_ resource: NetworkResource) async -> Report.Upstream {
        let health = await upstreams.swifty.health(of: resource, within: .milliseconds(500))
        return Report.Upstream(
            isHealthy: health.isHealthy,
            circuit: health.circuit.rawValue,
            milliseconds: Int(health.duration / .milliseconds(1)),
            error: health.error?.code.rawValue
        )
    }
}
