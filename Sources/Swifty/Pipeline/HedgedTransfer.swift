// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// The transfers of one attempt of a hedged load, of which the first response counts.
///
///     start ──▶ admitted ──▶ response: it counts, and the others are cancelled
///                  │    └──▶ error: it counts if it is the last one in flight
///                  └─ delay ──▶ start, while the policy and the retry budget allow it
final class HedgedTransfer: Sendable {
    /// What the transfers have in common.
    struct Plan: Sendable {
        let request: NetworkRequest
        let policy: HedgingPolicy
        let transport: any Transport
        /// The transport of further requests, which must not share the transfer of the first.
        let unsharedTransport: any Transport
        let admissions: AdmissionQueue
        let clock: LoadClock
        /// The time in which a request may still be sent; `nil` without a limit.
        let timeLeft: @Sendable () -> Duration?
        /// Reports that the first request waits for admission.
        let reportWait: @Sendable () -> Void
        /// Limits a request to the time that is left; the first one may share its transfer.
        let limited: @Sendable (_ request: NetworkRequest, _ isFirst: Bool) -> NetworkRequest
        /// Tells the tracers about the first request, and adds their fields.
        let traced: @Sendable (NetworkRequest) -> NetworkRequest
        /// Withdraws another request from the budget.
        let withdraw: @Sendable () -> Bool
    }

    fileprivate struct State {
        /// The request with the fields of tracers, once the first one is sent.
        var traced: NetworkRequest?
        /// The transfers in flight, by their numbers.
        var open: [Int: LoadCancellation] = [:]
        var started = 0
        /// Whether a request was handed to the transport.
        var isBegun = false
        /// The time for which the first request waited for admission; `nil` if it did not.
        var admissionTime: Duration?
        /// The transfers whose requests may have reached the server, other than the one that counts.
        var rivals: Set<Int> = []
        var isEnded = false
        /// The reason for which the load was ended: no further transfer starts, and the last one that ends is the
        /// outcome; `nil` while the load goes on.
        var cancellationCode: SwiftyError.Code?
        /// The error that counts if there is no response: that of the first transfer that failed.
        var failure: SwiftyError?
        var timer: LoadClock.Timer?
        /// The transfer whose events the load reports, once one has a response.
        var reporting: Int?
    }

    private let plan: Plan
    private let state = Mutex(State())
    private let outcome = Promise<Result<TransportResponse, SwiftyError>>()

    init(_ plan: Plan) {
        self.plan = plan
    }

    /// The number of requests beyond the first.
    var hedges: Int { state.withLock { max(0, $0.started - 1) } }

    /// Whether a request was handed to the transport.
    var isBegun: Bool { state.withLock { $0.isBegun } }

    /// The time for which the first request waited for admission; `nil` if it did not.
    var admissionTime: Duration? { state.withLock { $0.admissionTime } }

    /// Whether a server may have processed a request other than the one whose outcome counts.
    var hasRivals: Bool { state.withLock { !$0.rivals.isEmpty } }

    /// Sends the request, more than once if it is slow.
    func send(_ cancellation: LoadCancellation) async throws(SwiftyError) -> TransportResponse {
        start()
        let registration = cancellation.onCancel { [weak self] code in
            self?.cancelAll(code, reason: cancellation.reason, cause: cancellation.cause)
        }
        let result = await outcome.value()
        cancellation.remove(registration)
        return try result.get()
    }

    /// Starts another transfer, unless there is an outcome.
    private func start() {
        let cancellation = LoadCancellation()
        let number = state.withLock { state -> Int? in
            if !state.mayStart { return nil }
            state.started += 1
            state.open[state.started] = cancellation
            return state.started
        }
        guard let number else { return }
        Task { await run(number, cancellation) }
    }

    private func run(_ number: Int, _ cancellation: LoadCancellation) async {
        do throws(SwiftyError) {
            let admission = try await admit(number, cancellation)
            do throws(SwiftyError) {
                try beginTransfer(number)
                // Before another transfer can start, so that the tracers are told once.
                let request = request(number)
                scheduleNext()
                let transport = number == 1 ? plan.transport : plan.unsharedTransport
                let response = try await transport.send(request, cancellation: cancellation)
                plan.admissions.release(admission, .responded(response))
                end(number, .success(response))
            } catch {
                plan.admissions.release(admission, .failed(error))
                throw error
            }
        } catch {
            end(number, .failure(error))
        }
    }

    private func admit(_ number: Int, _ cancellation: LoadCancellation) async throws(SwiftyError) -> Admission {
        let (admissions, start, timeLeft) = (plan.admissions, plan.clock.now(), plan.timeLeft())
        var reportsWait = false
        defer { if reportsWait { state.withLock { $0.admissionTime = plan.clock.now() - start } } }
        return try await admissions.admit(plan.request, cancellation: cancellation, timeLimit: timeLeft) {
            guard number == 1 else { return }
            reportsWait = true
            plan.reportWait()
        }
    }

    /// The request with the time that is left, and with the events of the transfer that counts.
    private func request(_ number: Int) -> NetworkRequest {
        var request = plan.limited(tracedRequest, number == 1)
        guard let report = request.onEvent else { return request }
        request.onEvent = { [weak self] event in
            if self?.reports(event, of: number) == true { report(event) }
        }
        return request
    }

    /// The request with the fields of tracers: the same for all, for they are one request of the load.
    private var tracedRequest: NetworkRequest {
        if let traced = state.withLock(\.traced) { return traced }
        let traced = plan.traced(plan.request)
        state.withLock { $0.traced = traced }
        return traced
    }

    /// Whether the load reports an event: one of the first transfer, until another one has a response.
    private func reports(_ event: TransferEvent, of number: Int) -> Bool {
        state.withLock { state in
            if case .responseHead = event, state.reporting == nil { state.reporting = number }
            return number == state.reporting ?? 1
        }
    }

    /// Records that a request is handed to the transport.
    ///
    /// - Throws: ``SwiftyError``, if the load does not need it any more.
    private func beginTransfer(_ number: Int) throws(SwiftyError) {
        let code = state.withLock { state -> SwiftyError.Code? in
            if !state.mayStart { return state.cancellationCode ?? .cancelled }
            state.isBegun = true
            state.rivals.insert(number)
            return nil
        }
        if let code { throw SwiftyError(code, stage: .queue, reason: code.cancellationReason) }
    }

    private func scheduleNext() {
        let time = plan.clock.now() + plan.policy.delay
        state.withLock { state in
            guard state.mayStart, state.started < plan.policy.maximumRequests else { return }
            state.timer = plan.clock.timer(at: time) { [weak self] in self?.startNext() }
        }
    }

    private func startNext() {
        if let timeLeft = plan.timeLeft(), timeLeft <= .zero { return }
        let isWaiting = state.withLock { $0.mayStart && $0.started < plan.policy.maximumRequests }
        if isWaiting, plan.withdraw() { start() }
    }

    private func end(_ number: Int, _ result: Result<TransportResponse, SwiftyError>) {
        let (final, others, timer) = state.withLock { state in state.end(number, result) }
        guard let final else { return }
        timer?.cancel()
        for other in others { other.cancel(reason: "another request of the same load has its response") }
        outcome.resolve(final)
    }

    private func cancelAll(_ code: SwiftyError.Code, reason: String?, cause: (any Error)?) {
        let (open, timer) = state.withLock { state in
            state.cancellationCode = code
            return (Array(state.open.values), state.timer)
        }
        timer?.cancel()
        for cancellation in open { cancellation.cancel(with: code, reason: reason, cause: cause) }
    }
}

extension HedgedTransfer.State {
    fileprivate typealias Ending = (
        outcome: Result<TransportResponse, SwiftyError>?, others: [LoadCancellation], timer: LoadClock.Timer?
    )

    fileprivate var mayStart: Bool { !isEnded && cancellationCode == nil }

    /// Records the end of a transfer.
    fileprivate mutating func end(_ number: Int, _ result: Result<TransportResponse, SwiftyError>) -> Ending {
        open[number] = nil
        if isEnded { return (nil, [], nil) }
        switch result {
        case .success: rivals.remove(number)
        case .failure(let error) where error.sent == .notSent: rivals.remove(number)
        case .failure: break
        }
        if case .failure(let error) = result {
            failure = failure.map { $0.later(error) } ?? error
            if !open.isEmpty { return (nil, [], nil) }
        }
        isEnded = true
        let outcome: Result<TransportResponse, SwiftyError> =
            if case .success = result { result } else { failure.map { .failure($0) } ?? result }
        return (outcome, Array(open.values), timer)
    }
}

extension SwiftyError {
    /// The first error of two requests of one attempt; if the second may have reached the server, this one says so.
    fileprivate func later(_ other: SwiftyError) -> SwiftyError {
        guard sent == .notSent, other.sent != .notSent else { return self }
        var error = self
        error.sent = .maybeSent
        return error
    }
}
