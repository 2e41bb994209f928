// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What the pipeline knows of one load while it is under way. Only the load's task uses it.
///
/// A reference, so that it lies in one place and not in the frame of each function that waits for the answer. Its properties
/// are not checked for exclusive access at run time: nobody else has them, and no function of the task keeps one over a call.
final class Load {
    let id: UInt64
    /// The frozen draft; a retry policy may change it between attempts.
    @exclusivity(unchecked) var draft: RequestDraft
    let interface: any NetworkInterface
    let cancellation: LoadCancellation
    /// On the clock of the `Swifty`.
    let start: Duration
    let deadline: Deadline?
    /// When the attempt that is under way must be over.
    @exclusivity(unchecked) private(set) var attemptDeadline: Deadline?
    /// What was sent last, or was about to be; `nil` until a request is frozen.
    @exclusivity(unchecked) var request: NetworkRequest?
    /// Whether the request goes out once more because a constraint has replaced its credential.
    @exclusivity(unchecked) var hasNewCredential = false
    /// The attempt that is under way, or was the last.
    @exclusivity(unchecked) var exchange = Exchange()
    @exclusivity(unchecked) var metrics = LoadMetrics()
    /// Why the load ended between two attempts.
    @exclusivity(unchecked) var endBetweenAttempts: SwiftyError?

    @inline(never)
    init(
        id: UInt64,
        draft: RequestDraft,
        interface: any NetworkInterface,
        cancellation: LoadCancellation,
        timeouts: NetworkRequest.Timeouts,
        clock: LoadClock
    ) {
        self.id = id
        self.draft = draft.fixingIdempotencyKey()
        self.interface = interface
        self.cancellation = cancellation
        start = clock.now()
        deadline = Deadline(.call, after: draft.timeouts.total ?? timeouts.total, clock)
    }

    var observed: Swifty.ObservedLoad { Swifty.ObservedLoad(id: id, draft: draft) }

    /// When the load or its attempt must be over, whichever comes first.
    var nextDeadline: Deadline? { attemptDeadline == nil ? deadline : .earlier(deadline, attemptDeadline) }

    /// An attempt begins, whose time may be limited.
    @inline(never)
    func beginAttempt(_ timeouts: NetworkRequest.Timeouts, _ clock: LoadClock) {
        attemptDeadline = Deadline(.attempt, after: draft.timeouts.attempt ?? timeouts.attempt, clock)
    }

    /// The attempt is over, and with it its limit.
    @inline(never)
    func endAttempt() {
        attemptDeadline = nil
    }

    /// The attempt has waited for so long, which is not part of its time.
    func extendAttempt(by wait: Duration) {
        attemptDeadline = attemptDeadline?.later(by: wait)
    }

    /// The request with what is left of the load's time.
    @inline(never)
    func limited(_ request: NetworkRequest) -> NetworkRequest {
        guard let deadline = nextDeadline else { return request }
        var request = request
        request.timeouts.total = deadline.timeLimit
        return request
    }

    /// - Throws: the reason for which the load must end, if it must: it was cancelled, or its time is over.
    @inline(never)
    func checkEnd(stage: SwiftyError.Stage) throws(SwiftyError) {
        if let code = cancellation.code { throw SwiftyError(code, stage: stage, reason: cancellation.explanation) }
        if let deadline = reachedDeadline { throw deadline.error(at: stage) }
    }

    /// Whether the load was cancelled, or its time is over.
    var hasEnded: Bool { cancellation.code != nil || deadline?.isReached ?? false }

    /// The deadline that is over, if one is: rather that of the load than that of its attempt.
    private var reachedDeadline: Deadline? {
        if let deadline, deadline.isReached { return deadline }
        return attemptDeadline.flatMap { $0.isReached ? $0 : nil }
    }

    /// The error of a transport or of the wait for admission, for which what was left of the load's time was the whole limit.
    func explained(_ error: SwiftyError) -> SwiftyError {
        guard error.code == .timedOut, let deadline = reachedDeadline else { return error }
        var error = error
        error.reason = deadline.explanation
        return error
    }

    /// The error with what this load knows and its thrower did not.
    func complete(_ error: SwiftyError) -> SwiftyError {
        var error = error
        error.request = error.request ?? request.map(NetworkRequest.Summary.init) ?? draft.summary
        error.metrics = metrics
        if let reason = cancellation.reason, error.code == cancellation.code { error.reason = reason }
        return error
    }
}

extension LoadCancellation {
    /// Why the load was ended early, in words.
    var explanation: String { reason ?? code?.explanation ?? "" }
}

extension SwiftyError.Code {
    /// What it means that a load was ended early with this code.
    var explanation: String {
        switch self {
        case .shutdown: "this Swifty was shut down"
        case .timedOut: "the time limit of the whole call was reached"
        default: "the load was cancelled"
        }
    }
}
