// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What the pipeline knows of one load while it is under way.
struct Load {
    let draft: RequestDraft
    let cancellation: LoadCancellation
    let deadline: Deadline?
    /// What was sent, or was about to be; `nil` until the request is frozen.
    var request: NetworkRequest?
    var metrics = LoadMetrics()
    private let start = ContinuousClock.now

    init(draft: RequestDraft, cancellation: LoadCancellation, deadline: Deadline?) {
        self.draft = draft
        self.cancellation = cancellation
        self.deadline = deadline
    }

    var elapsed: Duration { ContinuousClock.now - start }

    func checkCancellation(stage: SwiftyError.Stage) throws(SwiftyError) {
        if let code = cancellation.code { throw SwiftyError(code, stage: stage, reason: LoadPipeline.reason(of: code)) }
    }

    mutating func record(_ answer: TransportResponse) {
        metrics.attempts.append(
            AttemptRecord(
                statusCode: answer.head.statusCode,
                errorCode: nil,
                sent: .responded,
                metrics: answer.metrics
            )
        )
    }

    mutating func record(_ error: SwiftyError) {
        metrics.attempts.append(
            AttemptRecord(
                statusCode: error.statusCode,
                errorCode: error.code,
                sent: error.sent,
                metrics: error.transfer ?? TransferMetrics()
            )
        )
    }

    /// The error with what this load knows and its thrower did not.
    func complete(_ error: SwiftyError) -> SwiftyError {
        var error = error
        error.request = error.request ?? request.map(RequestSummary.init) ?? draft.summary
        error.metrics = metrics
        return error
    }
}
