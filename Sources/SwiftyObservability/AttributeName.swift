// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability

/// The names of the attributes of metrics and spans.
///
/// Those without `swifty.` are OpenTelemetry's. Source: Semantic Conventions 1.38, HTTP spans and HTTP metrics,
/// https://opentelemetry.io/docs/specs/semconv/http/.
enum AttributeName {
    static let method = "http.request.method"
    static let originalMethod = "http.request.method_original"
    static let resendCount = "http.request.resend_count"
    static let requestBodySize = "http.request.body.size"
    static let responseBodySize = "http.response.body.size"
    static let statusCode = "http.response.status_code"
    static let errorType = "error.type"
    static let serverAddress = "server.address"
    static let serverPort = "server.port"
    static let connectionState = "http.connection.state"
    static let peerAddress = "network.peer.address"
    static let peerPort = "network.peer.port"
    static let protocolVersion = "network.protocol.version"
    static let url = "url.full"
    static let template = "url.template"
    static let overflow = "otel.metric.overflow"

    static let attempts = "swifty.attempts"
    static let constraint = "swifty.constraint"
    static let duration = "swifty.duration"
    static let instance = "swifty.instance"
    static let name = "swifty.name"
    static let origin = "swifty.origin"
    static let source = "swifty.source"

    /// All of them, for the documentation's test.
    static let all = [
        method, originalMethod, resendCount, requestBodySize, responseBodySize, statusCode, errorType, serverAddress,
        serverPort, connectionState, peerAddress, peerPort, protocolVersion, url, template, overflow, attempts,
        constraint, duration, instance, name, origin, source,
    ]
}
#endif
