// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Swifty

/// `GET /items/{id}`: asks both upstreams at the same time.
struct ItemRoutes: Sendable {
    let upstreams: Upstreams

    func add(to routes: RouterGroup<some RequestContext>) {
        routes.get("items/{id}") { _, context in
            try await offer(of: context.parameters.require("id", as: Int.self))
        }
    }

    private func offer(of item: Int) async throws -> Offer {
        async let stock = answer(of: "inventory", upstreams.inventory.stock(of: item))
        async let price = answer(of: "prices", upstreams.prices.price(of: item))
        let (known, cost) = try await (stock, price)
        return Offer(item: item, available: known.available, price: cost.amount, currency: cost.currency)
    }

    private func answer<Value: Sendable>(of upstream: String, _ resource: TypedResource<Value>) async throws -> Value {
        do {
            return try await resource.load()
        } catch {
            throw UpstreamProblem(upstream: upstream, error)
        }
    }
}
