// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

extension AdmissionTests {
    @Suite("The network quality", .timeLimit(.minutes(15)))
    struct NetworkQualityTests {
        private func connected(in milliseconds: Int) -> TransferMetrics {
            var metrics = TransferMetrics()
            metrics.connect = .milliseconds(milliseconds)
            return metrics
        }

        private func received(_ bytes: Int, in duration: Duration) -> TransferMetrics {
            var metrics = TransferMetrics()
            metrics.isConnectionReused = true
            metrics.responseContentBytes = bytes
            metrics.receive = duration
            return metrics
        }

        private func quality(of transfers: [TransferMetrics], now: Duration = .zero) -> AdmissionPolicy.NetworkQuality {
            var estimate = QualityEstimate()
            for sample in transfers.compactMap(QualitySample.init) { estimate.add(sample, now: .zero) }
            return estimate.quality(now: now)
        }

        @Test(
            "follows from the time of a connect",
            arguments: [(20, .excellent), (200, .good), (500, .fair), (900, AdmissionPolicy.NetworkQuality.poor)]
        )
        func roundTrip(milliseconds: Int, expected: AdmissionPolicy.NetworkQuality) {
            #expect(quality(of: [connected(in: milliseconds)]) == expected)
        }

        @Test(
            "follows from the throughput",
            arguments: [
                (300_000, .excellent), (100_000, .good), (40_000, .fair), (33_000, AdmissionPolicy.NetworkQuality.fair),
            ]
        )
        func throughput(bytes: Int, expected: AdmissionPolicy.NetworkQuality) {
            #expect(quality(of: [received(bytes, in: .seconds(1))]) == expected)
            #expect(quality(of: [received(bytes, in: .seconds(20))]) == .poor)
        }

        @Test("is the worse of the two")
        func worse() {
            #expect(quality(of: [connected(in: 10), received(40_000, in: .seconds(1))]) == .fair)
        }

        @Test("is not measured from small responses and reused connections")
        func nothingToMeasure() {
            var reused = connected(in: 900)
            reused.isConnectionReused = true
            #expect(quality(of: [reused, received(1000, in: .seconds(5)), TransferMetrics()]) == .unknown)
        }

        @Test("changes slowly, and one outlier changes it little")
        func smoothing() {
            let good = Array(repeating: connected(in: 50), count: 10)
            #expect(quality(of: good + [connected(in: 250)]) == .excellent)
            #expect(quality(of: good + Array(repeating: connected(in: 2000), count: 10)) == .poor)
        }

        @Test("is unknown when the last measurement is too old")
        func age() {
            #expect(quality(of: [connected(in: 20)], now: .seconds(120)) == .excellent)
            #expect(quality(of: [connected(in: 20)], now: .seconds(121)) == .unknown)
        }

        @Test("is kept for a bounded number of origins, and can be overridden")
        func book() throws {
            var tracker = QualityTracker()
            let bad = try #require(QualitySample(connected(in: 900)))
            let good = try #require(QualitySample(connected(in: 1)))
            tracker.add(bad, origin: "https://slow.example", now: .zero)
            for index in 0..<300 { tracker.add(good, origin: "https://\(index).example", now: .seconds(1)) }
            #expect(tracker.quality(now: .seconds(1)) == .excellent)
            #expect(tracker.quality(of: "https://299.example", now: .seconds(1)) == .excellent)
            #expect(tracker.quality(of: "https://slow.example", now: .seconds(1)) == .unknown)
            tracker.override = .fair
            #expect(tracker.quality(now: .seconds(1)) == .fair)
            #expect(tracker.quality(of: "https://299.example", now: .seconds(1)) == .fair)
        }
    }
}
