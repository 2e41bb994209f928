// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What one attempt has done on the wire: one request, and those that followed from its answers.
struct Exchange {
    let redirectPolicy: RedirectPolicy
    /// How long the load waited before the attempt.
    let wait: Duration
    /// Whether a request was handed to the transport.
    var isBegun = false
    /// `nil` until the first redirect.
    var chain: RedirectChain?
    var redirects: [LoadMetrics.Redirect] = []
    /// How often a server asked for credentials and was given some.
    var challenges = 0

    init(_ redirectPolicy: RedirectPolicy = .follow, wait: Duration = .zero) {
        self.redirectPolicy = redirectPolicy
        self.wait = wait
    }

    /// Whether the whole exchange may be made once more.
    var mayBeRepeated: Bool { !(chain?.mayHaveTakenEffect ?? false) }
    /// Whether the last request still carried what belongs to the first one's origin.
    var isAtItsOrigin: Bool { !(chain?.hasLeftOrigin ?? false) }

    /// The error of the last request, as what it means for all of them: the first may have been acted on.
    func complete(_ error: SwiftyError) -> SwiftyError {
        if mayBeRepeated || error.sent != .notSent { return error }
        var error = error
        error.sent = .maybeSent
        return error
    }

    func record(_ answer: TransportResponse) -> LoadMetrics.Attempt {
        LoadMetrics.Attempt(answer, wait: wait, redirects: redirects, challenges: challenges)
    }

    func record(_ error: SwiftyError) -> LoadMetrics.Attempt {
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
