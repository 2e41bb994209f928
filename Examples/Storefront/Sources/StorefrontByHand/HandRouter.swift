// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import Hummingbird
import NIOCore

private struct Stock: Decodable, Sendable { var available: Int }

private struct Price: Decodable, Sendable {
    var amount: Int
    var currency: String
}

private struct Offer: ResponseEncodable {
    var item: Int
    var available: Int
    var price: Int
    var currency: String
}

/// The route of the storefront, by hand.
struct HandRouter: Sendable {
    let inventory: HandClient
    let inventoryURL: String
    let prices: HandClient
    let pricesURL: String

    func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: TracingMiddleware())
        router.add(middleware: MetricsMiddleware())
        router.get("items/{id}") { request, context in
            let item = try context.parameters.require("id", as: Int.self)
            let left = request.headers[.init("grpc-timeout") ?? .accept].flatMap(HandDeadline.time)
            let deadline = ContinuousClock.now + min(left ?? HandDeadline.longest, HandDeadline.longest)
            return try await HandDeadline.$current.withValue(deadline) { try await answer(item) }
        }
        return router
    }

    private func answer(_ item: Int) async throws -> Offer {
        do {
            return try await offer(of: item)
        } catch HandError.status(404) {
            throw HTTPError(.notFound)
        } catch HandError.late {
            throw HTTPError(.gatewayTimeout)
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            throw HTTPError(.gatewayTimeout)
        } catch {
            throw HTTPError(.badGateway)
        }
    }

    private func offer(of item: Int) async throws -> Offer {
        async let stock: Stock = inventory.get("\(inventoryURL)/items/\(item)/stock", template: "items/{}/stock")
        async let price: Price = prices.get("\(pricesURL)/items/\(item)/price", template: "items/{}/price")
        let (known, cost) = try await (stock, price)
        return Offer(item: item, available: known.available, price: cost.amount, currency: cost.currency)
    }
}
