// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("The wait before an attempt that does not count", .timeLimit(.minutes(15)))
struct ReachabilityWaitTests {
    private static let unreached = SwiftyError(.connectionFailed, stage: .connect, sent: .notSent)
    private static let lost = SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent)

    /// The end of an attempt, at a time in seconds.
    private struct Attempt {
        var error: SwiftyError?
        var end: Int
    }

    /// The waits after each of some attempts, of one second more for each failure, within a limit of ten seconds.
    private func delays(_ attempts: [Attempt]) -> [Duration?] {
        var wait = ReachabilityWait()
        return attempts.map { attempt in
            wait.delay(
                after: attempt.error,
                now: .seconds(attempt.end),
                limit: .seconds(10),
                backoff: { .seconds($0) }
            )
        }
    }

    @Test("grows with each failure in a row, up to the limit since the first")
    func grows() {
        let delays = delays([100, 101, 107, 107].map { Attempt(error: Self.unreached, end: $0) })
        #expect(delays == [.seconds(1), .seconds(2), .seconds(3), nil])
    }

    @Test("begins again once a server was reached, with or without a response", arguments: [nil, lost])
    func beginsAgain(_ reached: SwiftyError?) {
        let delays = delays([
            Attempt(error: Self.unreached, end: 100), Attempt(error: Self.unreached, end: 101),
            Attempt(error: reached, end: 103), Attempt(error: Self.unreached, end: 200),
        ])
        #expect(delays == [.seconds(1), .seconds(2), nil, .seconds(1)])
    }

    @Test("makes the next attempt uncounted, and only that one")
    func uncounted() {
        var wait = ReachabilityWait()
        var isUncounted = [wait.takeUncounted()]
        for error in [Self.unreached, nil, nil] {
            _ = wait.delay(after: error, now: .zero, limit: .seconds(10), backoff: { .seconds($0) })
            isUncounted.append(wait.takeUncounted())
        }
        #expect(isUncounted == [false, true, false, false])
    }
}
