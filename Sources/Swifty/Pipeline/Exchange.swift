// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One attempt on the wire: a request, and those that follow from its responses.
struct Exchange {
    let redirectPolicy: RedirectPolicy
    /// The wait before the attempt.
    let wait: Duration
    /// Whether an earlier attempt has failed, of which a stored response knows nothing.
    let isRepetition: Bool
    /// Whether a request was handed to the transport.
    var isBegun = false
    /// Whether a server may have processed a request other than the last one, which was sent because this was slow.
    var hasRivals = false
    /// `nil` until the first redirect.
    var chain: RedirectChain?
    var redirects: [LoadMetrics.Redirect] = []
    /// Receives the transfer that the last request has shared; `nil` if no request can share one.
    var share: TransferShare?
    /// When the last request is sent, if its response may be stored.
    var cacheStart: CacheUse.Start?
    /// The number of answered challenges.
    var challenges = 0
    /// `nil` without credentials and challenge handlers.
    var authentication: AuthenticationExchange?

    init(_ redirectPolicy: RedirectPolicy = .follow, wait: Duration = .zero, isRepetition: Bool = false) {
        self.redirectPolicy = redirectPolicy
        self.wait = wait
        self.isRepetition = isRepetition
    }

    /// The joint retry decision of the loads that have shared the transfer of the last request; `nil` if it was not
    /// shared.
    var sharedRetry: SharedRetry? { (share?.transfer as? SharedTransfer)?.retry }
    /// When the transfer of the last request began, if that was shared and its response may be stored.
    var sharedStart: CacheUse.Start? { (share?.transfer as? SharedTransfer)?.start as? CacheUse.Start }
    var mayBeRepeated: Bool { !(chain?.mustNotBeRepeated ?? false) }
    /// Whether a request before the last one was processed, as its response says, or may have been.
    var hasTakenEffect: Bool { hasRivals || chain?.hasTakenEffect ?? false }
    /// Whether all requests went to the origin of the first one.
    var isAtFirstOrigin: Bool { !(chain?.hasLeftOrigin ?? false) }

    /// The error of the last request, with the sent state of the exchange: the first one may have been processed.
    func complete(_ error: SwiftyError) -> SwiftyError {
        guard error.sent == .notSent, hasTakenEffect else { return error }
        var error = error
        error.sent = .maybeSent
        return error
    }

    func record(of response: TransportResponse) -> LoadMetrics.Attempt {
        LoadMetrics.Attempt(response, wait: wait, redirects: redirects, challenges: challenges)
    }

    func record(of error: SwiftyError) -> LoadMetrics.Attempt {
        LoadMetrics.Attempt(
            statusCode: error.statusCode,
            errorCode: error.code,
            sent: error.sent,
            metrics: error.transfer ?? TransferMetrics(),
            wait: wait,
            redirects: redirects,
            challenges: challenges
        )
    }
}
