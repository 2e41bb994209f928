// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// The description of a request while it is being built: the value inside a ``NetworkResource``.
///
/// `load` copies it, and interceptors work on copies. It contains nothing untyped: dictionaries and `Encodable` values
/// are encoded by the modifier that takes them.
public struct RequestDraft: Sendable {
    /// The request method.
    public internal(set) var method: HTTPRequest.Method {
        get { fields.method }
        _modify { yield &fields.method }
    }

    /// The target, without the parameters that `query` added; `nil` if the URL is invalid.
    public internal(set) var target: TargetURI? {
        get { fields.target }
        _modify { yield &fields.target }
    }

    /// The path as the API's author wrote it, with its variables unfilled and without a query.
    public internal(set) var template: String {
        get { fields.template }
        _modify { yield &fields.template }
    }

    /// Whether the template was written for many requests, and is not just the path of one URL.
    package internal(set) var hasTemplate: Bool {
        get { fields.hasTemplate }
        _modify { yield &fields.hasTemplate }
    }

    /// The header fields that were set.
    public internal(set) var headers: HTTPFields {
        get { fields.headers }
        _modify { yield &fields.headers }
    }

    /// The names of header fields for which the request takes no default.
    var removedHeaders: Set<HTTPField.Name> {
        get { fields.removedHeaders }
        _modify { yield &fields.removedHeaders }
    }

    /// Whether the request takes no default of a header field that may be a secret: another origin chose its target.
    var isWithoutSecrets: Bool {
        get { fields.isWithoutSecrets }
        _modify { yield &fields.isWithoutSecrets }
    }

    /// The priority among requests that wait to be sent.
    public internal(set) var priority: NetworkRequest.Priority {
        get { fields.priority }
        _modify { yield &fields.priority }
    }

    /// Labels that constraints and interceptors can check.
    public internal(set) var tags: Set<String> {
        get { fields.tags }
        _modify { yield &fields.tags }
    }

    /// The name for metrics and logs.
    public internal(set) var name: String? {
        get { fields.name }
        _modify { yield &fields.name }
    }

    /// The values that travel with the request.
    var contextValues: ContextValues {
        get { fields.contextValues }
        _modify { yield &fields.contextValues }
    }

    /// The constraints that may hold the request.
    public internal(set) var constraints: ConstraintSelection {
        get { fields.constraints }
        _modify { yield &fields.constraints }
    }

    /// The time limits that were set on the request itself.
    public package(set) var timeouts: NetworkRequest.Timeouts {
        get { fields.timeouts }
        _modify { yield &fields.timeouts }
    }

    /// Whether the whole call has no time limit, whatever the network interface says.
    public internal(set) var isUnlimited: Bool {
        get { fields.isUnlimited }
        _modify { yield &fields.isUnlimited }
    }

    /// The statuses that count as success.
    public internal(set) var acceptedStatuses: AcceptedStatuses {
        get { fields.acceptedStatuses }
        _modify { yield &fields.acceptedStatuses }
    }

    /// The media types of content that counts as success; empty for all.
    public internal(set) var acceptedContentTypes: [String] {
        get { fields.acceptedContentTypes }
        _modify { yield &fields.acceptedContentTypes }
    }

    /// The caller's own checks of a response, in their order.
    package internal(set) var validations: [ResponseValidation] {
        get { fields.validations }
        _modify { yield &fields.validations }
    }

    /// Whether a response with status 206 must have the ranges of the request; not where its reader compares them.
    package var verifiesRanges: Bool {
        get { fields.verifiesRanges }
        _modify { yield &fields.verifiesRanges }
    }

    /// Whether a part of the content is of no use, even one between two elements: a download.
    package var needsWholeContent: Bool {
        get { fields.needsWholeContent }
        _modify { yield &fields.needsWholeContent }
    }

    /// The retry policy; `nil` for that of the network interface.
    public internal(set) var retryPolicy: RetryPolicy? {
        get { fields.retryPolicy }
        _modify { yield &fields.retryPolicy }
    }

    /// The redirect policy; `nil` for that of the network interface.
    public internal(set) var redirectPolicy: RedirectPolicy? {
        get { fields.redirectPolicy }
        _modify { yield &fields.redirectPolicy }
    }

    /// The key by which the server recognizes a repeated request; `nil` sends none.
    public internal(set) var idempotencyKey: IdempotencyKey? {
        get { fields.idempotencyKey }
        _modify { yield &fields.idempotencyKey }
    }

    /// The compression of the content; `nil` for that of the network interface.
    public internal(set) var requestCompression: RequestCompression? {
        get { fields.requestCompression }
        _modify { yield &fields.requestCompression }
    }

    /// The observers and the rates of the transfer; `nil` without any.
    package internal(set) var transfer: TransferPolicy? {
        get { fields.transfer }
        _modify { yield &fields.transfer }
    }

    /// How the next page is found; `nil` if the request has no pages.
    public internal(set) var pagination: Pagination? {
        get { fields.pagination }
        _modify { yield &fields.pagination }
    }

    /// What the modifiers of the network interface have set; `nil` if they have set nothing.
    package var interfaceOptions: (any AnyObject & Sendable)? {
        get { fields.interfaceOptions }
        _modify { yield &fields.interfaceOptions }
    }

    /// The mocked response; `nil` uses the network.
    public internal(set) var mock: Mock? {
        get { fields.mock }
        _modify { yield &fields.mock }
    }

    /// Whether the response is mocked.
    package var isMocked: Bool { fields.mock != nil }

    /// The queue of completion closures; `nil` for that of the network interface.
    public internal(set) var deliveryQueue: DispatchQueue? {
        get { fields.deliveryQueue }
        _modify { yield &fields.deliveryQueue }
    }

    /// The first error in the description of the request, or that of content which its method does not allow; thrown by
    /// `load`.
    public var creationError: SwiftyError? {
        fields.content == nil ? fields.creationError : fields.creationError ?? contentError
    }

    /// Whether a GET or OPTIONS request may carry content.
    var isContentAllowed: Bool {
        get { fields.isContentAllowed }
        _modify { yield &fields.isContentAllowed }
    }

    var coding: ServiceCoding {
        get { fields.coding }
        _modify { yield &fields.coding }
    }

    /// Work on the response that waits; set when a request with such work is loaded.
    package internal(set) var preparation: ResponsePreparation? {
        get { fields.preparation }
        _modify { yield &fields.preparation }
    }

    /// The service that describes the request; `nil` for a request outside of any.
    package var service: (any NamedService.Type)? { fields.coding.service }

    /// The base URL; `nil` if it is invalid.
    var base: BaseTarget? {
        get { fields.base }
        _modify { yield &fields.base }
    }

    /// The function that describes the request, as `#function` names it: `repositories(of:)`.
    package internal(set) var definition: StaticString? {
        get { fields.definition }
        _modify { yield &fields.definition }
    }

    /// The replacement of the network; `nil` outside of a scope. Set when the request is loaded.
    package internal(set) var scope: NetworkScope? {
        get { fields.scope }
        _modify { yield &fields.scope }
    }

    /// The secrets that the service and the caller declare; `nil` if they declare none.
    package internal(set) var secrets: RequestSecrets? {
        get { fields.secrets ?? fields.coding.secrets }
        set { fields.secrets = newValue }
    }

    var query: String {
        get { fields.query }
        _modify { yield &fields.query }
    }

    var content: DraftContent? {
        get { fields.content }
        _modify { yield &fields.content }
    }

    var contentType: String? {
        get { fields.contentType }
        _modify { yield &fields.contentType }
    }

    /// The number of the attempt that a hook takes part in: 1 for the first; 0 outside of a load.
    ///
    /// Every attempt counts, also one that a transport makes by itself, or a constraint causes. Not in the box, which
    /// an attempt would copy.
    public package(set) var attempt = 0

    private var box: Box

    /// Copied on write: a change does not affect copies of the draft.
    private var fields: Fields {
        _read { yield box.fields }
        _modify {
            #if SWIFTY_THREAD_SANITIZER
            // The sanitizer does not see that other references to the box were released before.
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

    /// Keeps an error, unless there is an earlier one.
    package mutating func fail(_ error: SwiftyError) {
        if fields.creationError == nil { fields.creationError = error }
    }

    /// Keeps an error, unless there is an earlier one.
    package mutating func fail(_ code: SwiftyError.Code, _ reason: String, underlying: (any Error)? = nil) {
        fail(SwiftyError(code, stage: .building, reason: reason, underlying: underlying))
    }
}
