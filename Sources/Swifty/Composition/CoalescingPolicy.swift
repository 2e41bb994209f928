// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The header fields in which requests that share a transfer may differ; see ``Swifty/Configuration/coalesces``.
public struct CoalescingPolicy: Sendable, Hashable {
    /// The names of the fields that do not matter; by default ``callerFields``.
    ///
    /// Requests that differ only in these fields are equal, and share a transfer: the server gets the fields of the
    /// request that began it, and none of the others. So a field on which the response depends, such as one with a
    /// login, a tenant or a language, must not be in the set. An empty set compares all fields.
    public var ignoredFields = Self.callerFields

    /// Makes a policy that ignores the ``callerFields``.
    public init() {}

    /// Fields that identify a call, and say nothing about the response: `traceparent` and `tracestate` (W3C Trace
    /// Context), the fields of B3, Jaeger, Sentry and the clouds, `X-Request-ID` and `X-Correlation-ID`.
    ///
    /// `baggage` (W3C Baggage) is not among them, because servers choose tenants and versions by its values.
    public static let callerFields: Set<HTTPField.Name> = [
        .literal("traceparent"), .literal("tracestate"),
        .literal("b3"), .literal("X-B3-TraceId"), .literal("X-B3-SpanId"), .literal("X-B3-ParentSpanId"),
        .literal("X-B3-Sampled"), .literal("X-B3-Flags"),
        .literal("uber-trace-id"), .literal("sentry-trace"),
        .literal("X-Amzn-Trace-Id"), .literal("X-Cloud-Trace-Context"),
        .literal("X-Datadog-Trace-Id"), .literal("X-Datadog-Parent-Id"), .literal("X-Datadog-Sampling-Priority"),
        .literal("X-Request-ID"), .literal("Request-Id"), .literal("X-Correlation-ID"), .literal("Correlation-ID"),
        .literal("X-Client-Request-Id"), .literal("X-Ms-Client-Request-Id"),
    ]
}

extension CoalescingPolicy {
    /// The fields that must be equal.
    func comparedFields(of headers: HTTPFields) -> HTTPFields {
        if ignoredFields.isEmpty || !headers.contains(where: { ignoredFields.contains($0.name) }) { return headers }
        return headers.filter { !ignoredFields.contains($0.name) }
    }
}
