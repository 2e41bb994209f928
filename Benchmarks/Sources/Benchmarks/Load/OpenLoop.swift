// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CPace
import Foundation

/// Starts loads at a rate, whether or not earlier ones have ended.
///
/// The duration of a load counts from the time at which it should have started, so that a slow client cannot hide the
/// time that loads wait for it.
struct OpenLoop {
    let client: any BenchmarkClient
    /// Loads per second.
    let rate: Double
    let length: RunLength

    /// A separate thread starts the loads: the timers of tasks are not equally exact in all languages.
    func run() async -> Measurement {
        await withCheckedContinuation { (continuation: CheckedContinuation<Measurement, Never>) in
            Thread.detachNewThread { startAll(whenAllHaveEnded: continuation) }
        }
    }

    private func startAll(whenAllHaveEnded continuation: CheckedContinuation<Measurement, Never>) {
        let count = length.loadCount(at: rate)
        pace_wake_on_time()
        let tally = LoadTally(count: count, whenAllHaveEnded: continuation)
        for number in 0..<count {
            let due = tally.start + Int64(Double(number) / rate * 1e9)
            pace_sleep_until(due)
            guard tally.begin() else { break }
            start(number, due: due, tally)
        }
        tally.endStarting()
    }

    private func start(_ number: Int, due: Int64, _ tally: LoadTally) {
        // A task without a preference does not pay for the search for one at every switch.
        if let executor = client.executor {
            Task.detached(executorPreference: executor) { await load(number, due: due, tally) }
        } else {
            Task.detached { await load(number, due: due, tally) }
        }
    }

    private func load(_ number: Int, due: Int64, _ tally: LoadTally) async {
        let outcome: Result<Int, any Error>
        do {
            outcome = .success(try await client.load(number))
        } catch {
            outcome = .failure(error)
        }
        tally.end(outcome, nanoseconds: pace_now() - due)
    }
}

extension RunLength {
    /// The number of loads that start at a rate.
    fileprivate func loadCount(at rate: Double) -> Int {
        switch self {
        case .time(let limit): Int((limit / Duration.seconds(1) * rate).rounded(.up))
        case .count(let count): count
        }
    }
}
