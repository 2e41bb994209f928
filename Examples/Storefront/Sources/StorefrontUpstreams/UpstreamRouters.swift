// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The number of an item.
private struct Stock: ResponseEncodable {
    var item: Int
    var available: Int
}

/// The price of an item.
private struct Price: ResponseEncodable {
    var item: Int
    var amount: Int
    var currency = "EUR"
}

/// The routes of the two services; there are the items 1 to 999.
enum UpstreamRouters {
    static func inventory(_ tokens: TokenIssuer, faults: Faults) -> Router<BasicRequestContext> {
        let router = makeRouter()
        items(of: router, faults: faults).get("items/{id}/stock") { request, context in
            guard tokens.accepts(request) else { throw HTTPError(.unauthorized) }
            let item = try item(of: context)
            return Stock(item: item, available: item * 7 % 40)
        }
        return router
    }

    static func prices(faults: Faults) -> Router<BasicRequestContext> {
        let router = makeRouter()
        items(of: router, faults: faults).get("items/{id}/price") { _, context in
            let item = try item(of: context)
            return Price(item: item, amount: 499 + item * 50)
        }
        return router
    }

    private static func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("health") { _, _ in HTTPResponse.Status.noContent }
        return router
    }

    /// The server's own spans are a part of the caller's trace, with the time that the caller has left.
    private static func items(
        of router: Router<BasicRequestContext>,
        faults: Faults
    ) -> RouterGroup<BasicRequestContext> {
        let deadline = HTTPField.Name("grpc-timeout").map { [$0] } ?? []
        return router.group()
            .add(middleware: TracingMiddleware(recordingHeaders: deadline))
            .add(middleware: FaultMiddleware(faults: faults))
    }

    private static func item(of context: BasicRequestContext) throws -> Int {
        let item = try context.parameters.require("id", as: Int.self)
        guard (1...999).contains(item) else { throw HTTPError(.notFound) }
        return item
    }
}
