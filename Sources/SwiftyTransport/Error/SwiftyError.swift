// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Why a load failed: everything that was known at the moment of failure.
///
///     building ── what the API's author or the caller wrote: URL, header, body, mock
///        │
///     constraint · requestInterceptor · queue ── before anything is sent
///        │
///     nameLookup · connect · tls · send · firstByte · body ── the transfer
///        │
///     validation · responseInterceptor · decoding ── a response is there, in `head` and `body`
///
/// `code` says what happened, `stage` where, and `sent` whether the server may have acted on the request. The
/// `description` is one line without secrets.
public struct SwiftyError: Error, Sendable {
    /// What happened.
    public var code: Code {
        get { box.fields.code }
        set { mutate { $0.code = newValue } }
    }

    /// Which part of the load it happened in.
    public var stage: Stage {
        get { box.fields.stage }
        set { mutate { $0.stage = newValue } }
    }

    /// How far the request got.
    public var sent: SentState {
        get { box.fields.sent }
        set { mutate { $0.sent = newValue } }
    }

    /// What is wrong, in words, without secrets.
    public var reason: String {
        get { box.fields.reason }
        set { mutate { $0.reason = newValue } }
    }

    /// The request that failed, redacted; `nil` if it could not be built.
    public var request: NetworkRequest.Summary? {
        get { box.fields.request }
        set { mutate { $0.request = newValue } }
    }

    /// The head of the response; `nil` if none arrived.
    public var head: ResponseHead? {
        get { box.fields.head }
        set { mutate { $0.head = newValue } }
    }

    /// The content of the response, as far as it arrived; `nil` if none did.
    public var body: Data? {
        get { box.fields.body }
        set { mutate { $0.body = newValue } }
    }

    /// The error that caused this one: what a hook threw, what a decoder reported.
    public var underlying: (any Error)? {
        get { box.fields.underlying }
        set { mutate { $0.underlying = newValue } }
    }

    /// What the failed transfer cost; `nil` if nothing was transferred.
    public var transfer: TransferMetrics? {
        get { box.fields.transfer }
        set { mutate { $0.transfer = newValue } }
    }

    /// What the whole load cost; `nil` until the pipeline ends it.
    public var metrics: LoadMetrics? {
        get { box.fields.metrics }
        set { mutate { $0.metrics = newValue } }
    }

    /// Every attempt that was made, in order.
    public var attempts: [LoadMetrics.Attempt] { box.fields.metrics?.attempts ?? [] }

    private var box: Box

    /// Makes an error; what is known later is set on its properties.
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
    private struct Fields: Sendable {
        var code: Code
        var stage: Stage
        var sent: SentState
        var reason: String
        var request: NetworkRequest.Summary?
        var head: ResponseHead?
        var body: Data?
        var underlying: (any Error)?
        var transfer: TransferMetrics?
        var metrics: LoadMetrics?
    }

    /// Holds the fields behind one reference, so that an error is one word wherever it is thrown, stored or passed.
    private final class Box: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}

extension SwiftyError {
    /// Whether a time limit was reached; `stage` names the phase.
    public var isTimeout: Bool { code == .timedOut }

    /// Whether the load was cancelled by its caller or by the shutdown of its `Swifty`.
    public var isCancelled: Bool { code == .cancelled || code == .shutdown }

    /// With which status the proxy answered CONNECT, if it was asked for a tunnel and answered.
    public var proxyStatusCode: Int? { transfer?.proxyStatusCode }

    /// The status code of the response, if one arrived.
    public var statusCode: Int? { head?.statusCode }
}
