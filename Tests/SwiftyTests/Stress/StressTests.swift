// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import TestSupport
import Testing

/// Whole loads over real sockets, many simultaneously; the server counts the requests that arrive.
///
/// `SWIFTY_STRESS=10 swift test --filter Stress` makes a tenth of the loads; 1000 ten times as many. `Scripts/test`
/// runs this suite in a process of its own, and says so with `SWIFTY_ALONE`.
@Suite("Under stress", .serialized, .timeLimit(.minutes(15)))
struct StressTests {
    static let simultaneousLoads = 256
    /// Whether no other suite runs in this process.
    static var isAlone: Bool { ProcessInfo.processInfo.environment["SWIFTY_ALONE"] != nil }

    /// The number of loads to make in place of the number in a test's title.
    static func scaled(_ count: Int) -> Int {
        #if SWIFTY_THREAD_SANITIZER
        let standard = 5
        #else
        let standard = 100
        #endif
        let percent = ProcessInfo.processInfo.environment["SWIFTY_STRESS"].flatMap { Int($0) } ?? standard
        return max(count * percent / 100, 100)
    }

    /// Calls the closure with the numbers 0..<count, with at most `limit` calls in progress.
    static func inFlight(
        _ limit: Int = simultaneousLoads,
        of count: Int,
        _ body: @escaping @Sendable (Int) async -> Void
    ) async {
        let next = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(limit, count) {
                group.addTask {
                    while true {
                        let index = next.increment() - 1
                        guard index < count else { return }
                        await body(index)
                    }
                }
            }
        }
    }

    /// A `Swifty` with a transport of its own, and up to three attempts with short waits between them.
    static func retryingSwifty() -> Swifty {
        let backoff = RetryPolicy.Backoff(initial: .milliseconds(20))
        return Swifty(transport: CurlTransport()) { $0.retry = RetryPolicy(backoff: backoff) }
    }
}
