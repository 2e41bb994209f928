// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A request as it goes to a ``Transport``: validated, immutable for its holder, and complete.
///
/// Everything in it is safe to write to the wire: the target is a checked URI, the method is a token, and the header
/// fields hold no control bytes. A request is a value; one attempt of a load is one `NetworkRequest`.
public struct NetworkRequest: Sendable {
    /// The request method, any token of RFC 9110 §9.
    public var method: HTTPRequest.Method
    /// Where the request goes.
    public var target: TargetURI
    /// The header fields, in the order in which they are sent.
    public var headers: HTTPFields
    /// The content; `nil` for a request without one.
    public var body: RequestBody?
    /// How long the phases of the transfer may take.
    public var timeouts: Timeouts
    /// How urgent the request is among those that wait.
    public var priority: Priority
    /// The path as the API's author wrote it, with its variables unfilled (`users/{user}/repos`).
    public var template: String?
    /// The name that the author gave the request.
    public var name: String?
    /// Whether the request must not go out on a connection that an earlier one has opened, as after a 421.
    public var requiresNewConnection = false
    /// Where to connect instead of the target's host and port; `Host`, SNI and the certificate check keep the target's.
    public var connectsTo: HostAndPort?
    /// Told what happens to the transfer while it happens; see ``TransferEvent``.
    public var onEvent: TransferEvent.Handler?

    /// Makes a request of its parts.
    public init(
        method: HTTPRequest.Method = .get,
        target: TargetURI,
        headers: HTTPFields = [:],
        body: RequestBody? = nil,
        timeouts: Timeouts = Timeouts(),
        priority: Priority = .normal,
        template: String? = nil,
        name: String? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.priority = priority
        self.template = template
        self.name = name
    }
}

extension NetworkRequest {
    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2), or the request
    /// carries an `Idempotency-Key` that lets the server see to it.
    public var isIdempotent: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: headers.contains(.idempotencyKey)
        }
    }
}

extension HTTPField.Name {
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    public static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .ifMatch
}
