// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

/// Drives the pure state as the queue does, for tables of what follows from what, and checks its invariants after every
/// event. Random orders of events are the simulation's (Docs/Simulation.md).
struct AdmissionDriver {
    struct Load {
        let token = LoadCancellation()
        let origin: String
        let priority: NetworkRequest.Priority
        let arrived: Duration
    }

    private(set) var state: AdmissionState
    private(set) var now: Duration = .zero
    /// The waiting loads by the numbers of the driver, which differ from those of the state.
    private(set) var waiting: [Int: Load] = [:]
    private(set) var running: [Int: (load: Load, admission: Admission)] = [:]
    private(set) var errors: [Int: SwiftyError] = [:]
    /// The loads that were sent, in order, with their waits.
    private(set) var sent: [(number: Int, load: Load, waited: Duration)] = []
    /// Whether invariants are checked; `false` for long runs with another purpose.
    private let isChecked: Bool
    private var own: [Int: Int] = [:]
    private var lastNumber = 0

    init(_ policy: AdmissionPolicy, isChecked: Bool = true) {
        self.isChecked = isChecked
        state = AdmissionState(policy: policy)
    }

    @discardableResult
    mutating func arrive(
        _ host: String = "a",
        _ priority: NetworkRequest.Priority = .normal,
        timeLimit: Duration? = nil
    ) -> Int {
        lastNumber += 1
        let load = Load(origin: "https://\(host)", priority: priority, arrived: now)
        let arrival = AdmissionState.Arrival(
            load: ObjectIdentifier(load.token),
            origin: load.origin,
            priority: priority,
            timeLimit: timeLimit
        )
        do throws(SwiftyError) {
            if let admission = try state.admitImmediately(arrival, now: now) {
                start(lastNumber, load, admission)
            } else {
                waiting[lastNumber] = load
                own[state.enqueue(arrival, now: now)] = lastNumber
            }
        } catch {
            errors[lastNumber] = error
        }
        settle()
        return lastNumber
    }

    mutating func finish(
        _ number: Int,
        _ outcome: AdmissionOutcome = .responded(ResponseHead(statusCode: 200), .init())
    ) {
        guard let (_, admission) = running.removeValue(forKey: number) else { return }
        let feedback = AdmissionFeedback(outcome, state.policy) { .init(timeIntervalSince1970: 0) }
        state.release(admission, feedback, now: now)
        settle()
    }

    mutating func finish(_ number: Int, status: Int, _ fields: [String: String] = [:]) {
        finish(number, .responded(ResponseHead(statusCode: status, headers: HTTPFields(fields)), TransferMetrics()))
    }

    mutating func overrideQuality(_ quality: AdmissionPolicy.NetworkQuality?) {
        state.overrideQuality(quality, now: now)
        settle()
    }

    /// Moves the time, stopping at every deadline on the way.
    mutating func advance(_ duration: Duration) {
        let end = now + duration
        while let deadline = state.nextDeadline(), deadline <= end {
            now = max(now, deadline)
            state.tick(now: now)
            settle()
        }
        now = end
        state.tick(now: now)
        settle()
    }

    private mutating func start(_ number: Int, _ load: Load, _ admission: Admission) {
        #expect(running[number] == nil)
        running[number] = (load, admission)
        sent.append((number, load, now - load.arrived))
    }

    private mutating func settle() {
        for decision in state.decisions {
            guard let number = own.removeValue(forKey: decision.number), let load = waiting.removeValue(forKey: number)
            else {
                Issue.record("a decision about a load that does not wait")
                continue
            }
            switch decision.result {
            case .success(let admission): start(number, load, admission)
            case .failure(let error): errors[number] = error
            }
        }
        state.decisions = []
        if isChecked { check() }
    }

    /// Checks that counts are right, limits are kept, and no load waits that could be sent.
    private func check() {
        #expect(state.running.count == running.count)
        #expect(state.waiters.count == waiting.count)
        let perHost = Dictionary(grouping: running.values) { $0.load.origin }.mapValues(\.count)
        for (origin, host) in state.hosts {
            #expect(host.inFlight == perHost[origin] ?? 0)
            #expect(host.inFlight <= state.policy.maximumLoadsPerHost ?? .max)
            #expect(host.waiting.count == waiting.values.count { $0.origin == origin })
        }
        #expect(running.count <= state.policy.maximumLoads ?? .max)
        if state.isPaused || !state.hasRoom(now: now) { return }
        for load in waiting.values where load.priority >= state.minimumPriority(now: now) {
            #expect(state.hosts[load.origin]?.hold(state.policy, now: now) != .free, "a load waits that could be sent")
        }
    }
}

extension AdmissionOutcome {
    /// A response without content.
    static func responded(_ head: ResponseHead, _ metrics: TransferMetrics) -> AdmissionOutcome {
        .responded(TransportResponse(head: head, content: Data(), metrics: metrics))
    }
}
