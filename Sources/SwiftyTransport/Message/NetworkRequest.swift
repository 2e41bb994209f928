// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A request as it goes to a ``Transport``: validated, immutable for its holder, and complete.
///
/// Everything in it is safe to write to the wire: the target is a checked URI, the method is a token, and the header
/// fields hold no control bytes. A request is a value; one attempt of a load is one `NetworkRequest`.
public struct NetworkRequest: Sendable {
    /// The request method, any token of RFC 9110 §9.
    public var method: HTTPRequest.Method {
        get { fields.method }
        _modify { yield &fields.method }
    }

    /// Where the request goes.
    public var target: TargetURI {
        // Its parts are read one by one all along the way; inlined, none of these reads copies the whole.
        @inlinable get { box.fields.target }
        _modify { yield &fields.target }
    }

    /// The header fields, in the order in which they are sent.
    public var headers: HTTPFields {
        get { fields.headers }
        _modify { yield &fields.headers }
    }

    /// The names of header fields that the request is not to be given by default.
    package var removedHeaders: Set<HTTPField.Name> {
        get { fields.removedHeaders }
        _modify { yield &fields.removedHeaders }
    }

    /// The content; `nil` for a request without one.
    public var body: Body? {
        get { fields.body }
        _modify { yield &fields.body }
    }

    /// How long the phases of the transfer may take.
    public var timeouts: Timeouts {
        get { fields.timeouts }
        _modify { yield &fields.timeouts }
    }

    /// How urgent the request is among those that wait.
    public var priority: Priority {
        get { fields.priority }
        _modify { yield &fields.priority }
    }

    /// The path as the API's author wrote it, with its variables unfilled (`users/{user}/repos`).
    public var template: String? {
        get { fields.template }
        _modify { yield &fields.template }
    }

    /// The name that the author gave the request.
    public var name: String? {
        get { fields.name }
        _modify { yield &fields.name }
    }

    /// Whether the request must not go out on a connection that an earlier one has opened, as after a 421.
    public var requiresNewConnection: Bool {
        get { fields.requiresNewConnection }
        _modify { yield &fields.requiresNewConnection }
    }

    /// Where to connect instead of the target's host and port; `Host`, SNI and the certificate check keep the target's.
    public var connectsTo: HostAndPort? {
        get { fields.connectsTo }
        _modify { yield &fields.connectsTo }
    }

    /// Told what happens to the transfer while it happens; see ``TransferEvent``.
    public var onEvent: TransferEvent.Handler? {
        get { fields.onEvent }
        _modify { yield &fields.onEvent }
    }

    @usableFromInline var box: Box

    /// Changing them leaves every copy of the request as it was.
    private var fields: Fields {
        _read { yield box.fields }
        _modify {
            #if SWIFTY_THREAD_SANITIZER
            // The sanitizer does not see that whoever shared the box has let go of it before.
            box = Box(box.fields)
            #else
            if !isKnownUniquelyReferenced(&box) { box = Box(box.fields) }
            #endif
            yield &box.fields
        }
    }

    /// Makes a request of its parts.
    public init(
        method: HTTPRequest.Method = .get,
        target: TargetURI,
        headers: HTTPFields = [:],
        body: Body? = nil,
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
                body: body,
                timeouts: timeouts,
                priority: priority,
                template: template,
                name: name
            )
        )
    }
}

extension NetworkRequest {
    /// Behind one reference, since a request is handed from stage to stage far more often than it is changed.
    @usableFromInline struct Fields: Sendable {
        var method: HTTPRequest.Method
        @usableFromInline var target: TargetURI
        var headers: HTTPFields
        var removedHeaders: Set<HTTPField.Name> = []
        var body: Body?
        var timeouts: Timeouts
        var priority: Priority
        var template: String?
        var name: String?
        var requiresNewConnection = false
        var connectsTo: HostAndPort?
        var onEvent: TransferEvent.Handler?
    }

    // Safety: the fields are changed only while one request refers to the box, by who has exclusive access to that one.
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

    /// Whether a default may be filled in for a header field: it is neither set nor was it removed.
    package func leavesOpen(_ name: HTTPField.Name) -> Bool {
        !headers.contains(name) && !removedHeaders.contains(name)
    }

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
