// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// The outcome of a load: a response or an error, as the response interceptors left it.
///
/// A class, because interceptors change it in place (`fail`, `succeed`). All members may be used from any thread.
public final class NetworkResponse: Sendable {
    private struct State: Sendable {
        var head: ResponseHead?
        var data: Data?
        var error: SwiftyError?
        var metrics: LoadMetrics
        var isPrepared = false
        var prepared: (any Sendable)?
    }

    /// The request as it was sent; `nil` if the load was mocked, or failed before a request was built.
    public let request: NetworkRequest?

    /// The first error of a failed load. It has a summary of the request even if none was built.
    private let cause: SwiftyError?
    /// The request as it was written, with its tags, its name and its ``RequestDraft/context(_:)``, also of a mocked
    /// response; `nil` if an interface or an interceptor made the outcome without it.
    public let draft: RequestDraft?
    private let state: Mutex<State>

    /// Makes the outcome of a load that got a response.
    public init(
        head: ResponseHead?,
        data: Data?,
        request: NetworkRequest? = nil,
        metrics: LoadMetrics = LoadMetrics()
    ) {
        self.request = request
        self.cause = nil
        self.draft = nil
        self.state = Mutex(State(head: head, data: data, error: nil, metrics: metrics))
    }

    /// Makes the outcome of a load that got a response, with what the draft says of decoding and errors.
    ///
    /// - Parameter request: The request as it was sent; `nil` if the load was mocked.
    @_spi(Interface)
    public init(
        of draft: RequestDraft,
        head: ResponseHead,
        data: Data,
        request: NetworkRequest? = nil,
        metrics: LoadMetrics = LoadMetrics()
    ) {
        self.request = request
        self.cause = nil
        self.draft = draft
        self.state = Mutex(State(head: head, data: data, error: nil, metrics: metrics))
    }

    /// Makes the outcome of a failed load; head, content and metrics are the error's.
    public convenience init(error: SwiftyError, request: NetworkRequest? = nil) {
        self.init(of: nil, error: error, request: request)
    }

    /// Makes the outcome of a failed load, with what the draft says of decoding.
    package init(of draft: RequestDraft?, error: SwiftyError, request: NetworkRequest?) {
        self.request = request
        var error = error
        if error.request == nil { error.request = request.map(NetworkRequest.Summary.init) }
        self.cause = error
        self.draft = draft
        self.state = Mutex(
            State(head: error.head, data: error.content, error: error, metrics: error.metrics ?? LoadMetrics())
        )
    }

    /// The summary of the request for errors, even if the load was mocked or failed before a request was built.
    var summary: NetworkRequest.Summary? {
        cause?.request ?? request.map(NetworkRequest.Summary.init) ?? draft?.summary
    }

    /// The status and the header fields; `nil` if no response arrived.
    public var head: ResponseHead? { state.withLock { $0.head } }

    /// The status code; `nil` if no response arrived.
    public var statusCode: Int? { head?.statusCode }

    /// The `Content-Type` of the response (RFC 9110 §8.3), with its parameters; `nil` without one.
    public var contentType: String? { head?.headers[.contentType] }

    /// The content; `nil` if it is absent or empty.
    public var data: Data? {
        state.withLock { state in
            guard let data = state.data, !data.isEmpty else { return nil }
            return data
        }
    }

    /// The error of the load; `nil` if it succeeded.
    public var error: SwiftyError? { state.withLock { $0.error } }

    /// The measurements of the load so far; complete when it is delivered.
    public var metrics: LoadMetrics { state.withLock { $0.metrics } }
}

extension NetworkResponse {
    /// Makes the outcome a success, whatever it was.
    ///
    /// - Parameters:
    ///   - head: The new head; `nil` keeps the current one.
    ///   - data: The content.
    public func succeed(head: ResponseHead? = nil, data: Data?) {
        state.withLock { state in
            if let head { state.head = head }
            state.data = data
            state.error = nil
        }
    }

    /// Makes the outcome a failure, whatever it was.
    ///
    /// An error of another type than ``SwiftyError`` becomes the `underlying` error of one with the code
    /// ``SwiftyError/Code/interceptorFailed``. The delivered error has this outcome's metrics, and also this outcome's
    /// head, content and request where it has none.
    public func fail(error: any Error) {
        let error =
            error as? SwiftyError
            ?? SwiftyError(
                .interceptorFailed,
                stage: .responseInterceptor,
                sent: .responded,
                reason: "an interceptor failed the response: \(error)",
                underlying: error
            )
        let summary = summary
        state.withLock { state in
            state.error = error.completed(by: state.head, state.data, summary: summary, metrics: state.metrics)
            state.error?.metrics = state.metrics
        }
    }

    /// Whether the network interface has done the work that waits; see ``ResponsePreparation``.
    var isPrepared: Bool { state.withLock { $0.isPrepared } }

    /// The value that this work has made so far; `nil` if there is none.
    var prepared: (any Sendable)? { state.withLock { $0.prepared } }

    func beginPreparation() {
        state.withLock { $0.isPrepared = true }
    }

    func setPrepared(_ value: any Sendable) {
        state.withLock { $0.prepared = value }
    }

    /// The value that a parser or an interceptor gave in place of the JSON of the content.
    var givenResult: GivenResult? { prepared as? GivenResult }

    /// Sets the measurements of the load, also on its error. For network interfaces, at the end of a load.
    @_spi(Interface)
    public func finish(metrics: LoadMetrics) {
        state.withLock { state in
            state.metrics = metrics
            state.error?.metrics = metrics
        }
    }

    /// The error with the head, the content, the request and the measurements of this response, where it has none.
    func completing(_ error: SwiftyError) -> SwiftyError {
        error.completed(by: head, data, summary: summary, metrics: metrics)
    }
}

// Safety: whoever gives the value hands it over to the reader of the response, and does not change it afterwards.
/// A value of any type that a parser or an interceptor gives to a response.
struct GivenResult: @unchecked Sendable {
    let value: Any
}

extension NetworkResponse: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: the head and the number of bytes, or the error.
    public var description: String {
        if let error { return error.description }
        let redactor = Redactor(request?.secrets ?? draft?.secrets)
        return "\(head.map { $0.description(redactor) } ?? "no head"), \(data?.count ?? 0) bytes"
    }

    /// The description alone, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SwiftyError {
    /// The error with the parts of an outcome, where it has none.
    func completed(
        by head: ResponseHead?,
        _ data: Data?,
        summary: NetworkRequest.Summary?,
        metrics: LoadMetrics
    ) -> SwiftyError {
        var error = self
        error.head = error.head ?? head
        error.content = error.content ?? data
        error.request = error.request ?? summary
        error.metrics = error.metrics ?? metrics
        return error
    }
}
