// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Hummingbird

/// The routes of the service, and what happens before them.
public struct StorefrontRouter: Sendable {
    private let upstreams: Upstreams
    private let metrics: PrometheusRegistry

    /// Makes the routes.
    ///
    /// - Parameters:
    ///   - upstreams: The clients.
    ///   - metrics: The registry of the process, whose page is `/metrics`.
    public init(_ upstreams: Upstreams, metrics: PrometheusRegistry) {
        (self.upstreams, self.metrics) = (upstreams, metrics)
    }

    /// Makes a router. Requests for health and metrics, which come every few seconds, have no span and are not counted.
    public func makeRouter() -> Router<BasicRequestContext> {
        let router = Router()
        let health = HealthRoute(upstreams: upstreams)
        router.get("health") { _, _ in await health.report() }
        router.get("metrics") { _, _ in metricsPage() }
        let shop = router.group()
            .add(middleware: TracingMiddleware())
            .add(middleware: MetricsMiddleware())
            .add(middleware: DeadlineMiddleware())
        ItemRoutes(upstreams: upstreams).add(to: shop)
        return router
    }

    private func metricsPage() -> Response {
        let page = ByteBuffer(string: metrics.page())
        let type = "text/plain; version=0.0.4; charset=utf-8"
        return Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: page))
    }
}
