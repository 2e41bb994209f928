// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

extension AdmissionTests {
    @Suite("An admission queue", .timeLimit(.minutes(15)))
    struct QueueTests {
        private let clock = TestClock()

        private func queue(_ change: (inout AdmissionPolicy) -> Void = { _ in }) -> AdmissionQueue {
            var policy = AdmissionPolicy()
            change(&policy)
            return AdmissionQueue(policy: policy, clock: LoadClock(clock))
        }

        private func request(
            _ host: String = "a",
            _ priority: NetworkRequest.Priority = .normal
        ) throws -> NetworkRequest {
            NetworkRequest(target: try TargetURI("https://\(host).example/"), priority: priority)
        }

        private let success = AdmissionOutcome.responded(ResponseHead(statusCode: 200), TransferMetrics())

        /// Asks for admission in a new task; returns when the load waits.
        private func enqueue(
            _ queue: AdmissionQueue,
            _ request: NetworkRequest,
            _ cancellation: LoadCancellation = LoadCancellation(),
            timeLimit: Duration? = nil
        ) async throws -> Task<Admission, any Error> {
            let waiting = queue.statistics.waiting
            let task = Task { try await queue.admit(request, cancellation: cancellation, timeLimit: timeLimit) }
            try await until { queue.statistics.waiting != waiting }
            return task
        }

        @Test("neither counts nor holds loads without limits")
        func open() async throws {
            let queue = queue()
            let admission = try await queue.admit(try request(), cancellation: LoadCancellation())
            #expect(admission.number == 0)
            #expect(queue.statistics.inFlight == 1)
            queue.release(admission, success)
            #expect(queue.statistics == Swifty.AdmissionStatistics())
        }

        @Test("makes loads wait, and admits the most urgent one next")
        func waiting() async throws {
            let queue = queue { $0.maximumLoads = 1 }
            let first = try await queue.admit(try request(), cancellation: LoadCancellation())
            let low = try await enqueue(queue, try request("b", .low))
            let high = try await enqueue(queue, try request("c", .high))
            queue.release(first, success)
            let second = try await high.value
            #expect(second.origin == "https://c.example")
            #expect(queue.statistics.waiting == 1)
            queue.release(second, success)
            queue.release(try await low.value, success)
            #expect(queue.statistics.inFlight == 0)
        }

        @Test("lets the priority of all waiting loads of one cancellation be raised, of which some have left")
        func sharedPriority() async throws {
            let queue = queue { $0.maximumLoadsPerHost = 1 }
            let first = try await queue.admit(try request(), cancellation: LoadCancellation())
            let shared = LoadCancellation()
            let normal = try await enqueue(queue, try request("a", .normal))
            let raised = [
                try await enqueue(queue, try request("a", .low), shared),
                try await enqueue(queue, try request("a", .low), shared),
                try await enqueue(queue, try request("a", .low), shared),
            ]
            queue.setPriority(.veryHigh, of: shared)
            queue.release(first, success)
            queue.release(try await raised[0].value, success)
            queue.setPriority(.high, of: shared)
            queue.release(try await raised[1].value, success)
            queue.release(try await raised[2].value, success)
            queue.release(try await normal.value, success)
            #expect(queue.statistics.inFlight == 0)
        }

        @Test("lets the priority of a waiting load be raised")
        func priority() async throws {
            let queue = queue { $0.maximumLoadsPerHost = 1 }
            let first = try await queue.admit(try request(), cancellation: LoadCancellation())
            let load = LoadCancellation()
            let normal = try await enqueue(queue, try request("a", .normal))
            let raised = try await enqueue(queue, try request("a", .low), load)
            queue.setPriority(.high, of: load)
            queue.release(first, success)
            queue.release(try await raised.value, success)
            queue.release(try await normal.value, success)
        }

        @Test(
            "ends the wait of a cancelled load with the code of the cancellation",
            arguments: [SwiftyError.Code.cancelled, .shutdown, .timedOut]
        )
        func cancellation(code: SwiftyError.Code) async throws {
            let queue = queue { $0.maximumLoads = 1 }
            let first = try await queue.admit(try request(), cancellation: LoadCancellation())
            let load = LoadCancellation()
            let task = try await enqueue(queue, try request(), load)
            load.cancel(with: code)
            let error = await #expect(throws: SwiftyError.self) { try await task.value }
            #expect(error?.code == code)
            #expect(error?.stage == .queue)
            #expect(error?.sent == .notSent)
            #expect(queue.statistics.waiting == 0)
            queue.release(first, success)
            #expect(queue.statistics.inFlight == 0)
        }

        @Test("does not admit a load that was cancelled before")
        func cancelledBefore() async throws {
            let queue = queue { $0.maximumLoads = 1 }
            let load = LoadCancellation()
            load.cancel()
            await #expect(throws: SwiftyError.self) { try await queue.admit(try request(), cancellation: load) }
            #expect(queue.statistics.inFlight == 0)
        }

        @Test("ends a wait at the policy's limit or at the load's, whichever is earlier")
        func timeouts() async throws {
            let queue = queue {
                $0.maximumLoads = 1
                $0.queueTimeout = .seconds(5)
            }
            let first = try await queue.admit(try request(), cancellation: LoadCancellation())
            let long = try await enqueue(queue, try request())
            let short = try await enqueue(queue, try request(), timeLimit: .seconds(2))
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(2))
            var error = await #expect(throws: SwiftyError.self) { try await short.value }
            #expect(error?.code == .timedOut)
            #expect(error?.stage == .queue)
            #expect(queue.statistics.waiting == 1)
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(3))
            error = await #expect(throws: SwiftyError.self) { try await long.value }
            #expect(error?.code == .timedOut)
            #expect(error?.reason.contains("5.0 seconds") == true)
            queue.release(first, success)
            #expect(queue.statistics.inFlight == 0)
        }

        @Test("that is paused admits nothing, but lets loads be cancelled and time out")
        func pause() async throws {
            let queue = queue { $0.queueTimeout = .seconds(5) }
            queue.pause()
            let load = LoadCancellation()
            let cancelled = try await enqueue(queue, try request(), load)
            let late = try await enqueue(queue, try request())
            load.cancel()
            await #expect(throws: SwiftyError.self) { try await cancelled.value }
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(5))
            await #expect(throws: SwiftyError.self) { try await late.value }
            let patient = try await enqueue(queue, try request())
            #expect(queue.statistics.isPaused)
            queue.resume()
            queue.release(try await patient.value, success)
            #expect(queue.statistics == Swifty.AdmissionStatistics())
            #expect(try await queue.admit(try request(), cancellation: LoadCancellation()).number == 0)
        }

        @Test("holds back the loads of a host that asked for a pause, and no others")
        func backoff() async throws {
            let queue = queue { $0.hostBackoff = .seconds(60) }
            let first = try await queue.admit(try request(), cancellation: LoadCancellation())
            let head = ResponseHead(statusCode: 503, headers: HTTPFields(["Retry-After": "10"]))
            queue.release(first, .responded(head, TransferMetrics()))
            #expect(queue.statistics.hosts["https://a.example"]?.heldFor == .seconds(10))
            let held = try await enqueue(queue, try request())
            let other = try await queue.admit(try request("b"), cancellation: LoadCancellation())
            queue.release(other, success)
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(10))
            let admission = try await held.value
            #expect(admission.time == .seconds(10))
            queue.release(admission, success)
            #expect(queue.statistics == Swifty.AdmissionStatistics())
        }

        @Test("admits at the rate limit, by its clock")
        func rate() async throws {
            let queue = queue { $0.rateLimit = AdmissionPolicy.RateLimit(requests: 1, per: .seconds(1)) }
            queue.release(try await queue.admit(try request(), cancellation: LoadCancellation()), success)
            for second in 1...5 {
                let task = try await enqueue(queue, try request())
                try await until { clock.sleeperCount == 1 }
                await clock.advance(by: .seconds(1))
                let admission = try await task.value
                #expect(admission.time == .seconds(second))
                queue.release(admission, success)
            }
        }

        @Test("measures the network whatever its policy")
        func quality() async throws {
            let queue = queue()
            var metrics = TransferMetrics()
            metrics.connect = .milliseconds(200)
            let admission = try await queue.admit(try request(), cancellation: LoadCancellation())
            queue.release(admission, .responded(ResponseHead(statusCode: 200), metrics))
            #expect(queue.quality == .good)
            #expect(queue.quality(ofHost: "https://a.example") == .good)
            #expect(queue.quality(ofHost: "https://b.example") == .unknown)
            queue.overrideQuality(.poor)
            #expect(queue.quality == .poor)
            queue.overrideQuality(nil)
            #expect(queue.quality == .good)
        }

        @Test(
            "ends every load exactly once and releases every admission, whenever loads are cancelled",
            arguments: 0..<10
        )
        func stress(_: Int) async throws {
            let queue = AdmissionQueue(
                policy: {
                    var policy = AdmissionPolicy()
                    policy.maximumLoads = 8
                    policy.maximumLoadsPerHost = 3
                    return policy
                }(),
                clock: LoadClock(ContinuousClock())
            )
            let peak = Peak()
            let requests = try (0..<5).map { try request("host\($0)") }
            let ended = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<400 {
                    group.addTask {
                        let load = LoadCancellation()
                        if index % 2 == 0 { Task { load.cancel() } }
                        guard let admission = try? await queue.admit(requests[index % 5], cancellation: load) else {
                            return false
                        }
                        peak.enter()
                        await Task.yield()
                        peak.leave()
                        queue.release(admission, .responded(ResponseHead(statusCode: 200), TransferMetrics()))
                        return true
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(ended.count == 400)
            #expect(ended.count { $0 } >= 200)
            #expect(peak.highest <= 8)
            #expect(queue.statistics == Swifty.AdmissionStatistics())
        }
    }
}

/// A counter of simultaneous entries that remembers the highest count.
private final class Peak: Sendable {
    private let state = Mutex((now: 0, highest: 0))

    var highest: Int { state.withLock { $0.highest } }

    func enter() {
        state.withLock { state in
            state.now += 1
            state.highest = max(state.highest, state.now)
        }
    }

    func leave() {
        state.withLock { $0.now -= 1 }
    }
}
