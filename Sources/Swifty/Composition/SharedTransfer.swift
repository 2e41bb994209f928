// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One transfer and those who share it.
final class SharedTransfer: Sendable {
    typealias Outcome = Result<TransportResponse, SwiftyError>

    /// A member's place in the transfer.
    struct Membership: Sendable {
        let transfer: SharedTransfer
        let number: Int
        let outcome: OneShot<Outcome>
    }

    private struct Member {
        let outcome: OneShot<Outcome>
        let onEvent: TransferEvent.Handler?
    }

    private struct State {
        var members: [Int: Member] = [:]
        var lastNumber = 0
        /// Whether the transfer is over or being ended: nobody joins any more.
        var isClosed = false
    }

    /// Where time limits are noticed: nothing that blocks runs on it.
    fileprivate static let watch = DispatchQueue(label: "swifty.coalescing.watch")

    /// Ends the transfer itself.
    let cancellation = LoadCancellation()
    private let state = Mutex(State())
    private let isOver = SharedOutcome<Void>()

    /// Takes part in the transfer; `nil` if it is too late.
    func join(_ request: NetworkRequest) -> Membership? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastNumber += 1
            let outcome = OneShot<Outcome>()
            state.members[state.lastNumber] = Member(outcome: outcome, onEvent: request.onEvent)
            return Membership(transfer: self, number: state.lastNumber, outcome: outcome)
        }
    }

    var memberCount: Int { state.withLock { $0.members.count } }

    /// Tells every member what happens.
    func tell(_ event: TransferEvent) {
        let handlers = state.withLock { $0.members.values.compactMap(\.onEvent) }
        for handler in handlers { handler(event) }
    }

    /// Gives every member the outcome.
    func finish(_ outcome: Outcome) {
        let members = state.withLock { state in
            state.isClosed = true
            defer { state.members = [:] }
            return state.members.values
        }
        for member in members { member.outcome.give(outcome) }
        isOver.settle(.success(()))
    }

    /// Ends the transfer for all, and returns when it is over.
    func end(with code: SwiftyError.Code) async {
        state.withLock { $0.isClosed = true }
        cancellation.cancel(with: code)
        _ = await isOver.value()
    }

    /// Ends one membership. The last member ends the transfer, and learns from it how that went.
    fileprivate func leave(_ number: Int, with code: SwiftyError.Code) {
        let (member, isLast) = state.withLock { state -> (Member?, Bool) in
            if state.members.count == 1, state.members[number] != nil {
                state.isClosed = true
                return (nil, true)
            }
            return (state.members.removeValue(forKey: number), false)
        }
        if isLast { cancellation.cancel(with: code) }
        member?.outcome.give(
            .failure(
                SwiftyError(
                    code,
                    stage: .firstByte,
                    sent: .maybeSent,
                    reason: "\(code.explanation); others still wait for the same transfer"
                )
            )
        )
    }
}

extension SharedTransfer.Membership {
    /// Waits for the outcome, or for the end of the member's time or interest.
    func result(
        for request: NetworkRequest,
        _ cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let timer = request.timeouts.total.map { limit in
            let timer = DispatchWorkItem { transfer.leave(number, with: .timedOut) }
            SharedTransfer.watch.asyncAfter(deadline: .now() + limit / .seconds(1), execute: timer)
            return timer
        }
        cancellation.onCancel { transfer.leave(number, with: $0) }
        let outcome = await outcome.take()
        cancellation.onCancel(nil)
        timer?.cancel()
        return try outcome.get()
    }
}
