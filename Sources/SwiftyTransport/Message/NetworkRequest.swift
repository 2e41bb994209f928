// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A complete and validated request for a ``Transport``.
///
/// Everything in it can be written to the wire: the target is a valid URI, the method a token, and the header fields
/// contain no control characters. A request is a value. Each attempt of a load makes one, and another for each redirect
/// and each authentication challenge.
public struct NetworkRequest: Sendable {
    /// The request method: any token (RFC 9110 §9.1).
    public var method: HTTPRequest.Method {
        get { fields.method }
        _modify { yield &fields.method }
    }

    /// The URI that the request is sent to.
    public var target: TargetURI {
        // Its parts are read one by one in every stage; inlined, these reads do not copy the whole.
        @inlinable get { box.fields.target }
        _modify { yield &fields.target }
    }

    /// The header fields, in the order in which they are sent.
    public var headers: HTTPFields {
        get { fields.headers }
        _modify { yield &fields.headers }
    }

    /// The names of header fields for which the request takes no default.
    package var removedHeaders: Set<HTTPField.Name> {
        get { fields.removedHeaders }
        _modify { yield &fields.removedHeaders }
    }

    /// Whether the request takes no default for header fields that may be secrets, because another origin chose its
    /// target.
    package var isWithoutSecrets: Bool {
        get { fields.isWithoutSecrets }
        _modify { yield &fields.isWithoutSecrets }
    }

    /// The content: none, bytes, or a source.
    public var content: Content {
        get { fields.content }
        _modify { yield &fields.content }
    }

    /// The time limits of the transfer and its phases.
    public var timeouts: Timeouts {
        get { fields.timeouts }
        _modify { yield &fields.timeouts }
    }

    /// The urgency of the request among those that wait.
    public var priority: Priority {
        get { fields.priority }
        _modify { yield &fields.priority }
    }

    /// The path as the API's author wrote it, with its variables not filled in (`users/{user}/repos`).
    public var template: String? {
        get { fields.template }
        _modify { yield &fields.template }
    }

    /// The name that the author gave to the request.
    public var name: String? {
        get { fields.name }
        _modify { yield &fields.name }
    }

    /// Whether the request must not use a connection that an earlier one opened, as after status 421.
    public var requiresNewConnection: Bool {
        get { fields.requiresNewConnection }
        _modify { yield &fields.requiresNewConnection }
    }

    /// The host and port to connect to in place of the target's. `Host`, SNI and certificate verification keep the
    /// target's.
    public var connectsTo: HostAndPort? {
        get { fields.connectsTo }
        _modify { yield &fields.connectsTo }
    }

    /// Receives the events of the transfer as they happen; see ``TransferEvent``.
    public var onEvent: TransferEvent.Handler? {
        get { fields.onEvent }
        _modify { yield &fields.onEvent }
    }

    /// The secrets that its service and its caller declare; `nil` if they declare none.
    package var secrets: RequestSecrets? {
        get { fields.secrets }
        _modify { yield &fields.secrets }
    }

    /// Receives the transfer that the request has shared; `nil` if its load does not need it.
    package var share: TransferShare? {
        get { fields.share }
        _modify { yield &fields.share }
    }

    @usableFromInline var box: Box

    /// Changing the fields does not change other copies of the request.
    private var fields: Fields {
        _read { yield box.fields }
        _modify {
            #if SWIFTY_THREAD_SANITIZER
            // The sanitizer does not see that the other owners of the box have released it.
            box = Box(box.fields)
            #else
            if !isKnownUniquelyReferenced(&box) { box = Box(box.fields) }
            #endif
            yield &box.fields
        }
    }

    /// The request with other header fields. Cheaper than to change them, for which the compiler allocates twice.
    package func with(headers: HTTPFields) -> NetworkRequest {
        var fields = fields
        fields.headers = headers
        return NetworkRequest(box: Box(fields))
    }

    private init(box: Box) {
        self.box = box
    }

    /// Makes a request from its parts.
    public init(
        method: HTTPRequest.Method = .get,
        target: TargetURI,
        headers: HTTPFields = [:],
        content: Content = .none,
        timeouts: Timeouts = Timeouts(),
        priority: Priority = .normal,
        template: String? = nil,
        name: String? = nil
    ) {
        box = Box(
            Fields(
                method: method,
                target: target,
                headers: headers,
                content: content,
                timeouts: timeouts,
                priority: priority,
                template: template,
                name: name
            )
        )
    }
}

extension NetworkRequest {
    /// The properties, boxed because a request is passed between stages far more often than it is changed.
    @usableFromInline struct Fields: Sendable {
        var method: HTTPRequest.Method
        @usableFromInline var target: TargetURI
        var headers: HTTPFields
        var removedHeaders: Set<HTTPField.Name> = []
        var isWithoutSecrets = false
        var content: Content
        var timeouts: Timeouts
        var priority: Priority
        var template: String?
        var name: String?
        var requiresNewConnection = false
        var connectsTo: HostAndPort?
        var onEvent: TransferEvent.Handler?
        var secrets: RequestSecrets?
        var share: TransferShare?
    }

    // Safety: the fields change only while a single request refers to the box, through exclusive access to that
    // request.
    @usableFromInline final class Box: @unchecked Sendable {
        @usableFromInline @exclusivity(unchecked) var fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}

extension NetworkRequest {
    /// Adds a header field after all others.
    package mutating func add(_ field: HTTPField) {
        fields.headers.add(field)
    }

    /// Whether a header field takes its default: it was neither set nor removed, and may be sent to the target.
    package func leavesOpen(_ name: HTTPField.Name) -> Bool {
        !headers.contains(name) && !removedHeaders.contains(name) && !(isWithoutSecrets && name.isBoundToOrigin)
    }

    /// Whether sending the request twice has the same effect as sending it once: its method is idempotent (RFC 9110
    /// §9.2.2), or it has an `Idempotency-Key`, by which the server recognizes the repetition. An empty key identifies
    /// nothing, and neither do several.
    public var isIdempotent: Bool {
        switch method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: headers.idempotencyKey != nil
        }
    }
}

extension NetworkRequest: CustomStringConvertible, CustomReflectable {
    /// Method, URL, header fields and the size of the content on one line, with secrets replaced.
    public var description: String {
        let size = content.isNone ? "" : content.length.map { ", \($0) bytes" } ?? ", streamed content"
        let redactor = redactor
        return Redaction.line("\(method.rawValue) \(redactor.uri(target)) \(redactor.describe(headers))\(size)")
    }

    /// The ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
