// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability

/// The names of the metrics.
///
/// Those without `swifty.` are OpenTelemetry's. Source: Semantic Conventions 1.38,
/// https://opentelemetry.io/docs/specs/semconv/http/http-metrics/.
enum MetricName: String, CaseIterable {
    case requestDuration = "http.client.request.duration"
    case activeRequests = "http.client.active_requests"
    case requestBodySize = "http.client.request.body.size"
    case responseBodySize = "http.client.response.body.size"
    case openConnections = "http.client.open_connections"
    case connectionDuration = "http.client.connection.duration"

    case loadDuration = "swifty.load.duration"
    case retries = "swifty.retries"
    case queueDuration = "swifty.queue.duration"
    case constraintDuration = "swifty.constraint.duration"
    case circuitState = "swifty.circuit.state"
    case hooksLeftBehind = "swifty.hooks.left_behind"

    /// Whether the values are set, and mean the state of one thing.
    var isState: Bool { self == .openConnections || self == .circuitState }
}

/// A metric with its attributes: the key of an instrument. Attributes that are empty or zero are left out.
struct Series: Hashable {
    var metric: MetricName
    var method = ""
    var template = ""
    /// The name of the request, of the constraint, or of the instance.
    var name = ""
    var host = ""
    var port = 0
    var status = 0
    var error = ""
    var version = ""
    var source = ""
    var origin = ""
    var connectionState = ""

    init(_ metric: MetricName, name: String? = nil, origin: String = "") {
        self.metric = metric
        self.name = name ?? ""
        self.origin = origin
    }

    init(_ metric: MetricName, _ kind: RequestKind) {
        self.metric = metric
        (method, template, name) = (kind.method, kind.template ?? "", kind.name ?? "")
    }

    /// The attributes as swift-metrics takes them.
    var dimensions: [(String, String)] {
        let attributes: [(String, String)] = [
            (AttributeName.method, method), (AttributeName.template, template), (nameOfName, name),
            (AttributeName.serverAddress, host), (AttributeName.serverPort, port == 0 ? "" : "\(port)"),
            (AttributeName.statusCode, status == 0 ? "" : "\(status)"), (AttributeName.errorType, error),
            (AttributeName.protocolVersion, version), (AttributeName.source, source), (AttributeName.origin, origin),
            (AttributeName.connectionState, connectionState),
        ]
        return attributes.filter { !$0.1.isEmpty }
    }

    private var nameOfName: String {
        switch metric {
        case .constraintDuration: AttributeName.constraint
        case .circuitState, .hooksLeftBehind: AttributeName.instance
        default: AttributeName.name
        }
    }
}
#endif
