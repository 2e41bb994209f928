// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Dispatch
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import SwiftyConfiguration

@Suite("Readings and the closures that they call", .timeLimit(.minutes(15)))
struct ReadingTurnsTests {
    /// An instance that closures find when it is made.
    private final class Later: Sendable {
        let swifty = Mutex<ReloadingSwifty?>(nil)
        let outcomes = Recording<String>()

        func reload() {
            guard let swifty = swifty.withLock(\.self) else { return }
            outcomes.append("\(swifty.reload())")
        }
    }

    @Test("read nothing for a listing that reads again")
    func listings() async throws {
        let later = Later()
        let listings = Swifty.UnknownKeys.refused(
            in: .keys {
                later.reload()
                return []
            },
            .environment {
                later.reload()
                return [:]
            }
        )
        let reloading = try Reloading(over: StubTransport(), unknownKeys: listings)
        later.swifty.withLock { $0 = reloading.swifty }
        #expect("\(reloading.change(to: 2))" == "applied")
        #expect(later.outcomes.values == ["unchanged", "unchanged"])
        #expect(reloading.reports.all == ["applied"])
        later.swifty.withLock { $0 = nil }
        #expect("\(reloading.change(to: 3))" == "applied")
        await reloading.swifty.shutdown()
    }

    @Test("report unknown keys when they have ended, so that the closure may read again")
    func reports() async throws {
        let later = Later()
        let keys = Mutex(["swifty.nam"])
        let found = Recording<[String]>()
        let reporting = Swifty.UnknownKeys.reported(in: .keys { keys.withLock(\.self) }) { error in
            found.append(error.problems.map(\.key))
            keys.withLock { $0 = [] }
            later.reload()
        }
        let reloading = try Reloading(over: StubTransport(), unknownKeys: reporting)
        #expect(found.values == [["swifty.nam"]])
        later.swifty.withLock { $0 = reloading.swifty }
        keys.withLock { $0 = ["swifty.colour"] }
        #expect("\(reloading.change(to: 2))" == "applied")
        #expect(found.values == [["swifty.nam"], ["swifty.colour"]])
        #expect(later.outcomes.values == ["unchanged"])
        later.swifty.withLock { $0 = nil }
        await reloading.swifty.shutdown()
    }

    @Test("report unknown keys even if the settings are refused")
    func refused() async throws {
        let keys = Mutex<[String]>([])
        let found = Recording<[String]>()
        let reporting = Swifty.UnknownKeys.reported(in: .keys { keys.withLock(\.self) }) { error in
            found.append(error.problems.map(\.key))
        }
        let reloading = try Reloading(over: StubTransport(), unknownKeys: reporting)
        keys.withLock { $0 = ["swifty.nam"] }
        reloading.set("timeouts.total", "soon")
        #expect("\(reloading.swifty.reload())".hasPrefix("refused"))
        #expect(found.values == [["swifty.nam"]])
        await reloading.swifty.shutdown()
    }

    @Test("follow one another in all threads")
    func threads() async {
        let turns = ReadingTurns()
        let readings = Mutex((now: 0, most: 0, nested: 0))
        let count = Counter()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 200) { _ in
                    let outcome = turns.take {
                        readings.withLock { readings in
                            readings.now += 1
                            readings.most = max(readings.most, readings.now)
                        }
                        if turns.take({ 1 }) == nil { readings.withLock { $0.nested += 1 } }
                        readings.withLock { $0.now -= 1 }
                        return 2
                    }
                    if outcome == 2 { count.increment() }
                }
                continuation.resume()
            }
        }
        #expect(count.value == 200)
        let (most, nested) = readings.withLock { ($0.most, $0.nested) }
        #expect((most, nested) == (1, 200))
    }
}
#endif
