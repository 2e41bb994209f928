// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One load in flight: its fixed facts, and the state that its stages change.
///
/// A class, so that the state is stored once, and not in the frame of each function that waits for the response.
final class Load {
    /// The state of a load, which its stages pass on to one another.
    ///
    /// | part | written by | read by |
    /// |---|---|---|
    /// | `draft` | the retry policy's `decide`, between attempts | each attempt |
    /// | `attemptDeadline` | start and end of an attempt; moved by the wait for admission | each stage of it |
    /// | `request` | the start of an attempt, and each request of its exchange | retries, errors, the response |
    /// | `exchange` | the start of an attempt, and each response of its exchange | retries, errors, metrics |
    /// | `hasTakenEffect` | the end of an attempt | the error of a later one |
    /// | `hasReplacedCredential` | the constraints after a 401 or 403 | the next 401 or 403 |
    /// | `idempotencyKey` | the first draft that needs one, or the first request that has one | each attempt |
    /// | `metrics` | every stage | responses, errors, logs, statistics |
    struct State {
        /// The request as the caller wrote it, or as a retry policy has changed it since.
        var draft: RequestDraft
        var attemptDeadline: Deadline?
        /// The request that was sent last, or that was about to be; `nil` until the first one is complete.
        var request: NetworkRequest?
        /// The current attempt on the wire, or the last one.
        var exchange = Exchange()
        /// Whether a server may have processed the request of an attempt that has ended.
        var hasTakenEffect = false
        /// Whether the request was repeated because a constraint has replaced its credential.
        var hasReplacedCredential = false
        /// The `Idempotency-Key`, which all attempts share.
        var idempotencyKey: String?
        var metrics = LoadMetrics()
    }

    let id: UInt64
    /// What all loads of the `Swifty` share.
    let environment: LoadEnvironment
    /// The interface of the resources that hooks get.
    let interface: Swifty
    /// The transport of the load's scope; `nil` without one.
    let scoped: ScopedTransport?
    /// Whether the content of an accepted response is read by the caller.
    let isStreamed: Bool
    /// Reports the progress; `nil` without an observer.
    let progress: ProgressReporter?
    let cancellation: LoadCancellation
    /// On the clock of the `Swifty`.
    let start: Duration
    let deadline: Deadline?
    /// Set when the load begins.
    @exclusivity(unchecked) var tracers: [any Swifty.LoadTracer] = []
    /// Whether there are observers or tracers.
    @exclusivity(unchecked) var isObserved: Bool
    /// Not checked for exclusive access at run time: only the load's task uses it, and no function holds it across a
    /// call.
    @exclusivity(unchecked) var state: State

    @inline(never)
    init(
        id: UInt64,
        draft: RequestDraft,
        of interface: Swifty,
        in environment: LoadEnvironment,
        isStreamed: Bool,
        cancellation: LoadCancellation
    ) {
        let (clock, timeouts) = (environment.clock, environment.configuration.timeouts)
        self.id = id
        self.isStreamed = isStreamed
        progress = ProgressReporter.make(draft, clock)
        state = State(draft: draft)
        if draft.awaitsIdempotencyKey { state.draft = draft.fixingIdempotencyKey(&state.idempotencyKey) }
        self.interface = interface
        self.environment = environment
        scoped = draft.scopedTransport(insteadOf: environment.transport)
        isObserved = !environment.configuration.observers.isEmpty
        self.cancellation = cancellation
        start = clock.now()
        deadline = .earlier(Deadline(.call, after: draft.totalLimit(over: timeouts), clock), .ofCaller(clock))
    }

    var configuration: Swifty.Configuration {
        @inline(__always) _read { yield environment.configuration }
    }
    /// The constraints that may hold the load.
    var constraints: [Constraint] { environment.constraints(of: state.draft) }
    var clock: LoadClock { environment.clock }

    var observed: Swifty.ObservedLoad { Swifty.ObservedLoad(id: id, draft: state.draft) }
}

extension Load {
    /// Whether responses are received as streams: for the caller, at a limited rate, or up to a limit of the request.
    var receivesStreams: Bool {
        isStreamed || state.draft.transfer?.values.download != nil || environment.contentLimit != nil
    }

    /// Adds an attempt to the metrics, after those that the transport has made by itself.
    func append(_ attempt: LoadMetrics.Attempt) {
        for _ in 0..<attempt.repetitions { state.metrics.attempts.append(.repeatedByTransport) }
        state.metrics.attempts.append(attempt)
        if attempt.hasTakenEffect || state.exchange.hasTakenEffect { state.hasTakenEffect = true }
    }

    /// The deadline of the load or that of its attempt, whichever comes first.
    var nextDeadline: Deadline? {
        state.attemptDeadline == nil ? deadline : .earlier(deadline, state.attemptDeadline)
    }

    @inline(never)
    func beginAttempt(_ timeouts: NetworkRequest.Timeouts, _ clock: LoadClock) {
        state.attemptDeadline = Deadline(.attempt, after: state.draft.timeouts.attempt ?? timeouts.attempt, clock)
    }

    @inline(never)
    func endAttempt() {
        state.attemptDeadline = nil
    }

    /// Adds a wait for admission, which does not count for the attempt's limit.
    func recordAdmission(after wait: Duration) {
        state.metrics.admissionTime += wait
        state.attemptDeadline = state.attemptDeadline?.later(by: wait)
    }

    /// The request, limited to the time that is left for the load and for its attempt.
    @inline(never)
    func limited(_ request: NetworkRequest) -> NetworkRequest {
        request.limited(to: nextDeadline, configuration.deadlineField)
    }

    /// Whether the load was cancelled, or has reached its time limit.
    var hasEnded: Bool { cancellation.code != nil || deadline?.isReached ?? false }

    /// - Throws: The reason to end the load: its cancellation, or a time limit.
    @inline(never)
    func checkEnd(stage: SwiftyError.Stage) throws(SwiftyError) {
        if let code = cancellation.code { throw SwiftyError(code, stage: stage, reason: cancellation.endReason) }
        if let deadline = reachedDeadline { throw deadline.error(at: stage) }
    }

    /// - Throws: ``SwiftyError`` if too little is left of the caller's time for a request.
    @inline(never)
    func checkTimeLeft() throws(SwiftyError) {
        let minimum = configuration.minimumTimeLeft
        guard let deadline, deadline.remaining(keeping: minimum) < .zero else { return }
        var error = SwiftyError(.timedOut, stage: .queue)
        error.timeLimit = .deadline
        error.reason = "less than \(minimum) is left for the request, \(Setting.minimumTimeLeft.limit)"
        throw error
    }

    /// The deadline that is reached: the load's, or else its attempt's; `nil` if neither is.
    private var reachedDeadline: Deadline? {
        if let deadline, deadline.isReached { return deadline }
        return state.attemptDeadline.flatMap { $0.isReached ? $0 : nil }
    }

    /// The error with the limit that caused it: transports and the wait for admission know only the time left.
    ///
    /// - Parameter deadline: The deadline that the transport had; `nil` if it is the next one of the load.
    func withReachedLimit(_ error: SwiftyError, ofTransfer deadline: Deadline? = nil) -> SwiftyError {
        guard error.code == .timedOut else { return error }
        // A transport's total limit is the next deadline, which its clock may reach before this one does.
        let reached = reachedDeadline ?? (error.timeLimit == .total ? deadline ?? nextDeadline : nil)
        return reached.map(error.reaching) ?? error
    }

    /// The error with the request, the metrics and the caller's reason for a cancellation, and with the sent state of
    /// all attempts: an earlier one may have been processed.
    func complete(_ error: SwiftyError) -> SwiftyError {
        var error = error
        error.request = error.request ?? state.request.map(NetworkRequest.Summary.init) ?? state.draft.summary
        error.metrics = state.metrics
        if error.sent == .notSent, state.hasTakenEffect { error.sent = .maybeSent }
        if error.code == cancellation.code { error.explain(cancellation) }
        return error
    }
}

extension SwiftyError {
    /// Takes the reason and the error of the canceller.
    fileprivate mutating func explain(_ cancellation: LoadCancellation) {
        if let reason = cancellation.reason { self.reason = reason }
        if let cause = cancellation.cause { underlying = cause }
    }
}

extension LoadCancellation {
    /// The reason for the early end of the load: the canceller's own, or that of the code.
    var endReason: String { reason ?? code?.cancellationReason ?? "" }
}

extension Load.State {
    /// Gives the request of an attempt the key of the first one: an interceptor that makes a new key for each attempt
    /// would let the server take a repetition for another request.
    mutating func keepIdempotencyKey(of request: inout NetworkRequest) {
        let key = request.headers.idempotencyKey
        if idempotencyKey == nil {
            idempotencyKey = key
        } else if key != idempotencyKey {
            request.headers[.idempotencyKey] = idempotencyKey
        }
    }
}
