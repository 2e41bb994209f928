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
    /// What was sent last, or was about to be; `nil` until a request is frozen.
    @exclusivity(unchecked) var request: NetworkRequest?
    /// Whether the request goes out once more because a constraint has replaced its credential.
    @exclusivity(unchecked) var hasNewCredential = false
    /// The attempt that is under way, or was the last.
    @exclusivity(unchecked) var exchange = Exchange()
    @exclusivity(unchecked) var metrics = LoadMetrics()

    @inline(never)
    init(
        id: UInt64,
        draft: RequestDraft,
        interface: any NetworkInterface,
        cancellation: LoadCancellation,
        timeouts: Timeouts,
        clock: LoadClock
    ) {
        self.id = id
        self.draft = draft.fixingIdempotencyKey()
        self.interface = interface
        self.cancellation = cancellation
        start = clock.now()
        deadline = Deadline(of: draft, startedAt: start, timeouts, clock)
    }

    var observed: ObservedLoad { ObservedLoad(id: id, draft: draft) }

    /// The request with what is left of the load's time.
    @inline(never)
    func limited(_ request: NetworkRequest) -> NetworkRequest {
        guard let deadline else { return request }
        var request = request
        request.timeouts.total = deadline.timeLimit
        return request
    }

    /// - Throws: the reason for which the load was cancelled, if it was.
    @inline(never)
    func checkCancellation(stage: SwiftyError.Stage) throws(SwiftyError) {
        if let code = cancellation.code { throw SwiftyError(code, stage: stage, reason: cancellation.explanation) }
    }

    /// The error with what this load knows and its thrower did not.
    func complete(_ error: SwiftyError) -> SwiftyError {
        var error = error
        error.request = error.request ?? request.map(RequestSummary.init) ?? draft.summary
        error.metrics = metrics
        if error.code == .timedOut, let deadline, deadline.remaining <= .zero {
            error.reason =
                "the call took longer than \(deadline.time - start), \(Setting.totalTimeout.limit); "
                + "it ended during \(error.stage.phrase)"
        }
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
