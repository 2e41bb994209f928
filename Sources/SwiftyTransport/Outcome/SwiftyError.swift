// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// The failure of a load, with everything that was known at that moment.
///
///     building ── the request as written: URL, header fields, content, mock
///        │
///     constraint · requestInterceptor · queue ── before anything is sent
///        │
///     nameLookup · connect · tls · send · firstByte · head · content ── the transfer
///        │
///     validation · responseInterceptor · decoding ── the response is complete, in `head` and `content`
///
/// ``code`` names the failure, ``stage`` the part of the load, and ``sent`` tells whether the server may have processed
/// the request. The ``description`` is one line without secrets.
public struct SwiftyError: Error, Sendable {
    /// The kind of failure.
    public var code: Code {
        get { box.fields.code }
        set { mutate { $0.code = newValue } }
    }

    /// The part of the load that failed.
    public var stage: Stage {
        get { box.fields.stage }
        set { mutate { $0.stage = newValue } }
    }

    /// How far the request got; of a load, over all of its attempts: ``SentState/notSent`` only if no server may have
    /// processed one of them.
    public var sent: SentState {
        get { box.fields.sent }
        set { mutate { $0.sent = newValue } }
    }

    /// The cause in words, without secrets.
    public var reason: String {
        get { box.fields.reason }
        set { mutate { $0.reason = newValue } }
    }

    /// The time limit that was reached, with ``Code/timedOut``; `nil` with any other code, and from a transport that
    /// does not report it.
    public var timeLimit: TimeLimit? {
        get { box.fields.timeLimit }
        set { mutate { $0.timeLimit = newValue } }
    }

    /// The failed request, without secrets; `nil` if it could not be built.
    public var request: NetworkRequest.Summary? {
        get { box.fields.request }
        set { mutate { $0.request = newValue } }
    }

    /// The head of the response; `nil` if none arrived.
    public var head: ResponseHead? {
        get { box.fields.head }
        set { mutate { $0.head = newValue } }
    }

    /// The content of the response as far as it arrived; `nil` if none did.
    public var content: Data? {
        get { box.fields.content }
        set { mutate { $0.content = newValue } }
    }

    /// The error that caused this one, such as that of a hook or a decoder.
    public var underlying: (any Error)? {
        get { box.fields.underlying }
        set { mutate { $0.underlying = newValue } }
    }

    /// The value in the content, and the format of the request; `nil` unless the status failed the load.
    package var failure: Failure? {
        get { box.fields.failure }
        set { mutate { $0.failure = newValue } }
    }

    /// The measurements of the failed transfer; `nil` if nothing was transferred.
    public var transfer: TransferMetrics? {
        get { box.fields.transfer }
        set { mutate { $0.transfer = newValue } }
    }

    /// The measurements of the whole load; `nil` until the pipeline ends it.
    public var metrics: LoadMetrics? {
        get { box.fields.metrics }
        set { mutate { $0.metrics = newValue } }
    }

    /// All attempts of the load, in order.
    public var attempts: [LoadMetrics.Attempt] { box.fields.metrics?.attempts ?? [] }

    private var box: Box

    /// Makes an error. The other properties can be set later.
    public init(
        _ code: Code,
        stage: Stage,
        sent: SentState = .notSent,
        reason: String = "",
        underlying: (any Error)? = nil
    ) {
        box = Box(Fields(code: code, stage: stage, sent: sent, reason: reason, underlying: underlying))
    }

    private mutating func mutate(_ change: (inout Fields) -> Void) {
        var fields = box.fields
        change(&fields)
        box = Box(fields)
    }
}

extension SwiftyError {
    /// The content of a failed response as a value.
    package struct Failure: Sendable {
        /// `nil` if the service declares no value for the status, or the content is none.
        package let value: (any Sendable)?
        /// The format of the request's values.
        package let format: any Sendable
        /// The request as it was sent, without its content: the server may have repeated its secrets. `nil` for a mock.
        let request: NetworkRequest?

        package init(value: (any Sendable)?, format: any Sendable, request: NetworkRequest?) {
            self.value = value
            self.format = format
            self.request = request
        }
    }

    private struct Fields: Sendable {
        var code: Code
        var stage: Stage
        var sent: SentState
        var reason: String
        var timeLimit: TimeLimit?
        var request: NetworkRequest.Summary?
        var head: ResponseHead?
        var content: Data?
        var underlying: (any Error)?
        var failure: Failure?
        var transfer: TransferMetrics?
        var metrics: LoadMetrics?
    }

    /// The fields, boxed so that an error is one word wherever it is thrown, stored or passed.
    private final class Box: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}

extension SwiftyError {
    /// Whether a time limit was reached; ``timeLimit`` names it, and ``stage`` the phase.
    public var isTimeout: Bool { code == .timedOut }

    /// Whether the load was cancelled by its caller or by the shutdown of its `Swifty`.
    public var isCancelled: Bool { code == .cancelled || code == .shutdown }

    /// Whether the load failed because it would not have been secure: TLS, certificates, pins, and credentials,
    /// redirects and addresses that are refused.
    public var isSecurityError: Bool {
        switch code {
        case .tlsFailed, .certificateInvalid, .certificatePinMismatch, .clientCertificateInvalid,
            .clientCertificateRefused, .addressDenied, .insecureRedirect, .insecureCredential, .serverNotAuthenticated:
            true
        default: false
        }
    }

    /// The status code of the proxy's response to CONNECT; `nil` if there was none.
    public var proxyStatusCode: Int? { transfer?.proxyStatusCode }

    /// The status code of the response; `nil` if none arrived.
    public var statusCode: Int? { head?.statusCode }
}
