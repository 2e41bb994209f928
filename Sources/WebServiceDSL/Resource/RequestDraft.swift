// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// The description of a request while it is being built: the value inside a ``NetworkResource``.
///
/// It is copied when the request is loaded. Interceptors work on copies. Nothing untyped is in it: dictionaries and
/// `Encodable` values are encoded by the modifier that takes them.
public struct RequestDraft: Sendable {
    /// The request method.
    public internal(set) var method: HTTPRequest.Method {
        get { fields.method }
        _modify { yield &fields.method }
    }

    /// Where the request goes, without the parameters that `query` added; `nil` if it could not be made.
    public internal(set) var target: TargetURI? {
        get { fields.target }
        _modify { yield &fields.target }
    }

    /// The path as its author wrote it, variables unfilled, without a query.
    public internal(set) var template: String {
        get { fields.template }
        _modify { yield &fields.template }
    }

    /// The header fields that were set.
    public internal(set) var headers: HTTPFields {
        get { fields.headers }
        _modify { yield &fields.headers }
    }

    /// The names that no header field gets unless it is set on the request itself.
    var removedHeaders: Set<HTTPField.Name> {
        get { fields.removedHeaders }
        _modify { yield &fields.removedHeaders }
    }

    /// How urgent the request is.
    public internal(set) var priority: NetworkRequest.Priority {
        get { fields.priority }
        _modify { yield &fields.priority }
    }

    /// Labels that constraints and interceptors can ask for.
    public internal(set) var tags: Set<String> {
        get { fields.tags }
        _modify { yield &fields.tags }
    }

    /// The name for metrics and logs.
    public internal(set) var name: String? {
        get { fields.name }
        _modify { yield &fields.name }
    }

    /// Whether constraints may hold the request.
    public internal(set) var canHaveConstraints: Bool {
        get { fields.canHaveConstraints }
        _modify { yield &fields.canHaveConstraints }
    }

    /// The time limits that were set on the request itself.
    public internal(set) var timeouts: NetworkRequest.Timeouts {
        get { fields.timeouts }
        _modify { yield &fields.timeouts }
    }

    /// Which statuses count as success.
    public internal(set) var acceptedStatuses: AcceptedStatuses {
        get { fields.acceptedStatuses }
        _modify { yield &fields.acceptedStatuses }
    }

    /// Whether failed attempts are repeated; `nil` for the network interface's own policy.
    public internal(set) var retryPolicy: RetryPolicy? {
        get { fields.retryPolicy }
        _modify { yield &fields.retryPolicy }
    }

    /// Whether redirects are followed; `nil` for the network interface's own policy.
    public internal(set) var redirectPolicy: RedirectPolicy? {
        get { fields.redirectPolicy }
        _modify { yield &fields.redirectPolicy }
    }

    /// The key by which a server recognises a repeated request.
    public internal(set) var idempotencyKey: IdempotencyKey? {
        get { fields.idempotencyKey }
        _modify { yield &fields.idempotencyKey }
    }

    /// What answers in place of the network.
    public internal(set) var mock: Mock? {
        get { fields.mock }
        _modify { yield &fields.mock }
    }

    /// The queue on which closures are called; `nil` for the network interface's own.
    public internal(set) var deliveryQueue: DispatchQueue? {
        get { fields.deliveryQueue }
        _modify { yield &fields.deliveryQueue }
    }

    /// The first mistake that was made while building; thrown by `load`.
    public private(set) var creationError: SwiftyError? {
        get { fields.creationError }
        _modify { yield &fields.creationError }
    }

    var coding: ServiceCoding { fields.coding }

    var query: String {
        get { fields.query }
        _modify { yield &fields.query }
    }

    var body: BodySource? {
        get { fields.body }
        _modify { yield &fields.body }
    }

    var bodyContentType: String? {
        get { fields.bodyContentType }
        _modify { yield &fields.bodyContentType }
    }

    /// The function in which the load was called, as `#function` names it; `nil` if that is not known.
    ///
    /// A closure has the name of the function around it. So loads are known that are written inside of a constraint's
    /// `satisfyConstraint`, on whatever queue they are made.
    public package(set) var caller: StaticString?

    private var box: Box

    /// Changing them leaves every copy of the draft as it was.
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

    init(method: HTTPRequest.Method, template: String, coding: ServiceCoding) {
        box = Box(Fields(method: method, template: template, coding: coding))
    }

    /// Remembers a mistake, unless there is one already.
    mutating func fail(_ error: SwiftyError) {
        if creationError == nil { creationError = error }
    }

    /// Remembers a mistake, unless there is one already.
    mutating func fail(_ code: SwiftyError.Code, _ reason: String, underlying: (any Error)? = nil) {
        fail(SwiftyError(code, stage: .building, reason: reason, underlying: underlying))
    }
}

extension RequestDraft {
    /// What a draft consists of, behind one reference: drafts are copied at every load, attempt and hook.
    struct Fields: Sendable {
        var method: HTTPRequest.Method
        var target: TargetURI?
        var template: String
        var headers = HTTPFields()
        var removedHeaders: Set<HTTPField.Name> = []
        var priority = NetworkRequest.Priority.normal
        var tags: Set<String> = []
        var name: String?
        var canHaveConstraints = true
        var timeouts = NetworkRequest.Timeouts()
        var acceptedStatuses = AcceptedStatuses.successful
        var retryPolicy: RetryPolicy?
        var redirectPolicy: RedirectPolicy?
        var idempotencyKey: IdempotencyKey?
        var mock: Mock?
        var deliveryQueue: DispatchQueue?
        var creationError: SwiftyError?
        var coding: ServiceCoding
        var query = ""
        var body: BodySource?
        var bodyContentType: String?

        init(method: HTTPRequest.Method, template: String, coding: ServiceCoding) {
            self.method = method
            self.template = template
            self.coding = coding
        }
    }

    // Safety: the fields are changed only while one draft refers to the box, by who has exclusive access to that one.
    final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}

extension RequestDraft: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: name, method, URL and tags.
    public var description: String {
        var text = name.map { "\($0): " } ?? ""
        text += summary.description
        if !tags.isEmpty { text += " [\(tags.sorted().joined(separator: ", "))]" }
        if let creationError { text += " (cannot be loaded: \(creationError.reason))" }
        return Redaction.line(text)
    }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
