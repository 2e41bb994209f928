// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Finds the route of a request: first among the added routes, then among the built-in ones.
final class Router: Sendable {
    private let builtIn: [Route]
    private let custom = Mutex<[Route]>([])

    init(builtIn: [Route]) {
        self.builtIn = builtIn
    }

    /// Adds a route, which wins over older ones that also match unless they have more literal segments.
    func add(_ route: Route) {
        custom.withLock { $0.insert(route, at: 0) }
    }

    /// Removes the added routes with this path.
    func remove(_ path: String) {
        let pattern = PathPattern(path)
        custom.withLock { $0.removeAll { $0.pattern == pattern } }
    }

    /// The route of a request, and the request as the route's handler sees it.
    func match(_ request: RecordedRequest) -> RouteMatch {
        let custom = custom.withLock { $0 }
        for routes in [custom, builtIn] {
            if let match = Self.find(request, method: request.method, in: routes) { return match }
            // HEAD is GET without the content (RFC 9110 §9.3.2), so the handlers of GET need not handle it.
            if request.method == "HEAD", let match = Self.find(request, method: "GET", in: routes) { return match }
        }
        return missing(request, custom + builtIn)
    }

    private static func find(_ request: RecordedRequest, method: String, in routes: [Route]) -> RouteMatch? {
        var best: (route: Route, variables: [String: String])?
        for route in routes where route.allows(method) {
            guard best.map({ route.pattern.literalCount > $0.route.pattern.literalCount }) ?? true,
                let variables = route.pattern.match(request.path)
            else { continue }
            best = (route, variables)
        }
        guard let best else { return nil }
        var request = request
        request.pathVariables = best.variables
        return RouteMatch(request: request, method: method, handler: best.route.handler)
    }

    /// The response where no route matches: 404, or for a known path 405 or the response to OPTIONS, both with the
    /// methods that the path allows.
    private func missing(_ request: RecordedRequest, _ routes: [Route]) -> RouteMatch {
        let methods = routes.filter { $0.pattern.match(request.path) != nil }.flatMap(\.methods)
        return RouteMatch(
            request: request,
            method: request.method,
            handler: .immediate { request in
                guard !methods.isEmpty else { return .text("No route for \(request.path)\n", status: 404) }
                let allow = Self.allowed(methods)
                if request.method == "OPTIONS" { return .status(200).header("Allow", allow) }
                return .text("\(request.method) is not allowed\n", status: 405).header("Allow", allow)
            }
        )
    }

    private static func allowed(_ methods: [String]) -> String {
        var all = Set(methods + ["OPTIONS"])
        if all.contains("GET") { all.insert("HEAD") }
        return all.sorted().joined(separator: ", ")
    }
}
