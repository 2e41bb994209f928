// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// The description of a request while it is being built: the value inside a ``NetworkResource``.
///
/// It is copied when the request is loaded. Interceptors work on copies. Nothing untyped is in it: dictionaries and
/// `Encodable` values are encoded by the modifier that takes them.
public struct RequestDraft: Sendable {
    /// The request method.
    public internal(set) var method: HTTPRequest.Method
    /// Where the request goes, without the parameters that `query` added; `nil` if it could not be made.
    public internal(set) var target: TargetURI?
    /// The path as its author wrote it, variables unfilled, without a query.
    public internal(set) var template: String
    /// The header fields that were set.
    public internal(set) var headers = HTTPFields()
    /// How urgent the request is.
    public internal(set) var priority = Priority.normal
    /// Labels that constraints and interceptors can ask for.
    public internal(set) var tags: Set<String> = []
    /// The name for metrics and logs.
    public internal(set) var name: String?
    /// Whether constraints may hold the request.
    public internal(set) var canHaveConstraints = true
    /// The time limits that were set on the request itself.
    public internal(set) var timeouts = Timeouts()
    /// Which statuses count as success.
    public internal(set) var acceptedStatuses = AcceptedStatuses.successful
    /// Whether failed attempts are repeated; `nil` for the network interface's own policy.
    public internal(set) var retryPolicy: RetryPolicy?
    /// Whether redirects are followed; `nil` for the network interface's own policy.
    public internal(set) var redirectPolicy: RedirectPolicy?
    /// The key by which a server recognises a repeated request.
    public internal(set) var idempotencyKey: IdempotencyKey?
    /// What answers in place of the network.
    public internal(set) var mock: Mock?
    /// The queue on which closures are called; `nil` for the network interface's own.
    public internal(set) var deliveryQueue: DispatchQueue?
    /// The first mistake that was made while building; thrown by `load`.
    public private(set) var creationError: SwiftyError?

    var queryEncoding: QueryEncoding
    var query = ""
    var body: BodySource?
    var bodyContentType: String?

    init(method: HTTPRequest.Method, template: String, queryEncoding: QueryEncoding) {
        self.method = method
        self.template = template
        self.queryEncoding = queryEncoding
    }

    /// Whether a request with this method may carry a body.
    public var allowsBody: Bool {
        switch method {
        case .get, .head, .options, .trace: false
        default: true
        }
    }

    /// Remembers a mistake, unless there is one already.
    mutating func fail(_ error: SwiftyError) {
        if creationError == nil { creationError = error }
    }

    /// Remembers a mistake, unless there is one already.
    mutating func fail(_ code: SwiftyError.Code, _ reason: String, underlying: (any Error)? = nil) {
        fail(SwiftyError(code, stage: .building, reason: reason, underlying: underlying))
    }

    mutating func setBody(_ body: BodySource, contentType: String?) {
        guard allowsBody else {
            fail(.bodyNotAllowed, "a \(method.rawValue) request carries no body; use post, put or patch")
            return
        }
        if let contentType, !HTTPField.isValidValue(contentType) {
            fail(.invalidHeader, "the media type of the body contains a control character")
        }
        self.body = body
        self.bodyContentType = contentType
    }

    mutating func addQuery(_ encoded: String) {
        if encoded.isEmpty { return }
        query += query.isEmpty ? encoded : "&" + encoded
    }

    /// The target with the parameters that `query` added; `nil` if the request could not be built.
    public var fullTarget: TargetURI? {
        guard let target, !query.isEmpty else { return target }
        guard let base = target.query, !base.isEmpty else { return target.replacing(path: target.path, query: query) }
        return target.replacing(path: target.path, query: "\(base)&\(query)")
    }

    /// What errors and logs say about the request.
    public var summary: RequestSummary {
        RequestSummary(
            method: method.rawValue,
            url: fullTarget.map(Redaction.redact) ?? template,
            template: template,
            name: name
        )
    }
}
