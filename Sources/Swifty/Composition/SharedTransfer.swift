// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// A transfer and the requests that share it.
final class SharedTransfer: Sendable {
    typealias Outcome = Result<TransportResponse, SwiftyError>

    struct Membership: Sendable {
        let transfer: SharedTransfer
        let number: Int
        let outcome: Promise<Outcome>
    }

    private struct Member {
        let outcome: Promise<Outcome>
        let onEvent: TransferEvent.Handler?
        let share: TransferShare?
    }

    private struct State {
        var members: [Int: Member] = [:]
        var lastNumber = 0

        /// In the order in which they have joined.
        var inOrder: [Member] { members.sorted { $0.key < $1.key }.map(\.value) }

        /// Whether the transfer has ended or is ending, so that no request can join.
        var isClosed = false
    }

    /// Counts the transfers of one transport.
    let number: Int
    /// When its request is sent, as the request that began it says.
    let start: (any TransferStart)?
    /// Ends the transfer itself.
    let cancellation = LoadCancellation()
    /// Whether and when the members repeat their request.
    let retry = SharedRetry()
    private let state = Mutex(State())
    private let ending = SharedPromise<Void>()

    init(number: Int, since start: (any TransferStart)? = nil) {
        (self.number, self.start) = (number, start)
    }

    /// Whether a further request could use the response.
    var isCurrent: Bool { start?.isCurrent ?? true }

    /// Adds a member; `nil` if the transfer has ended or is ending.
    func join(_ request: NetworkRequest) -> Membership? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastNumber += 1
            let outcome = Promise<Outcome>()
            state.members[state.lastNumber] = Member(outcome: outcome, onEvent: request.onEvent, share: request.share)
            return Membership(transfer: self, number: state.lastNumber, outcome: outcome)
        }
    }

    var memberCount: Int { state.withLock { $0.members.count } }

    func notify(_ event: TransferEvent) {
        let handlers = state.withLock { $0.inOrder.compactMap(\.onEvent) }
        for handler in handlers { handler(event) }
    }

    func finish(_ outcome: Outcome) {
        let members = state.withLock { state in
            state.isClosed = true
            defer { state.members = [:] }
            return state.inOrder
        }
        for member in members {
            member.share?.transfer = self
            member.outcome.resolve(outcome)
        }
        ending.resolve(.success(()))
    }

    /// Cancels the transfer for all members, and returns when it has ended.
    func end(with code: SwiftyError.Code) async {
        state.withLock { $0.isClosed = true }
        cancellation.cancel(with: code)
        _ = await ending.value()
    }

    /// Ends one membership. The last member cancels the transfer, and gets its outcome.
    fileprivate func leave(_ number: Int, with code: SwiftyError.Code) {
        let (member, isLast) = state.withLock { state -> (Member?, Bool) in
            if state.members.count == 1, state.members[number] != nil {
                state.isClosed = true
                return (nil, true)
            }
            return (state.members.removeValue(forKey: number), false)
        }
        if isLast { cancellation.cancel(with: code) }
        let reason = "\(code.cancellationReason); other requests still wait for the same transfer"
        var error = SwiftyError(code, stage: .firstByte, sent: .maybeSent, reason: reason)
        if code == .timedOut { error.timeLimit = .total }
        member?.outcome.resolve(.failure(error))
    }
}

extension SharedTransfer.Membership {
    /// Waits for the outcome of the transfer, the member's cancellation, or the end of its time.
    func result(
        for request: NetworkRequest,
        _ cancellation: LoadCancellation,
        _ clock: LoadClock
    ) async throws(SwiftyError) -> TransportResponse {
        let timer = request.timeouts.total.map { limit in
            clock.timer(at: clock.now() + limit) { transfer.leave(number, with: .timedOut) }
        }
        let registration = cancellation.onCancel { transfer.leave(number, with: $0) }
        let outcome = await outcome.value()
        cancellation.remove(registration)
        timer?.cancel()
        return try outcome.get()
    }
}
