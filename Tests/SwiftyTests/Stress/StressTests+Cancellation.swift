// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import TestSupport
import Testing

extension StressTests {
    @Test("20,000 loads, half of them cancelled at a random moment, end once each and leave nothing behind")
    func cancellation() async throws {
        // Not counted: resources that are made once and kept, such as the threads of the pools.
        try await CancellationStorm(Self.scaled(4_000)).run()
        let before = ProcessUsage.now
        let storm = CancellationStorm(Self.scaled(20_000))
        try await storm.run()
        let record = storm.record
        #expect(record.completions.values.allSatisfy { $0 == 1 })
        #expect(record.lateArrivals.value == 0)
        let arrivals = record.arrivals.values
        var cancelled = 0
        for index in 0..<storm.count {
            switch record.ending(of: index) {
            case nil: Issue.record("load \(index) did not end")
            case .answered?: #expect(arrivals[index] == 1)
            case .failed(let error)?:
                cancelled += 1
                #expect(error.code == .cancelled, "\(error)")
                #expect(index % 2 == 1, "load \(index) was not cancelled: \(error)")
                #expect(arrivals[index] <= (error.sent == .notSent ? 0 : 1), "\(error)")
            }
        }
        #expect((storm.count / 10...storm.count / 2).contains(cancelled), "\(cancelled) were cancelled")
        // Other tests of the same process also take and return descriptors, threads and memory.
        guard Self.isAlone else { return print("Not checked beside other tests: what the loads leave behind") }
        let usage = try await Self.usage(comparedTo: before)
        #expect(usage.isSettled, "\(before) before, \(usage.last) after")
    }

    /// Waits until descriptors, threads and memory are back where they were, for half a minute at most: other tests may
    /// be under way, and Dispatch keeps idle threads for a while.
    private static func usage(comparedTo before: ProcessUsage) async throws -> (isSettled: Bool, last: ProcessUsage) {
        #if SWIFTY_THREAD_SANITIZER
        let megabytes = 2_000
        #else
        let megabytes = 64
        #endif
        var last = ProcessUsage.now
        for _ in 0..<300 {
            if last.isAtMost(before, descriptors: 8, threads: 8, megabytes: megabytes) { return (true, last) }
            // The system reports no change of these numbers.
            try await Task.sleep(for: .milliseconds(100))
            last = .now
        }
        return (false, last)
    }
}
