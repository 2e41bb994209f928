// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// A constraint: how it answers, and how its flights end. Times are milliseconds.
struct ConstraintPlan: Sendable, CustomStringConvertible {
    enum Ending: Sendable {
        case success
        case failure
        case never
        /// Finishes twice, the second time later.
        case twice(later: Int)
        /// Finishes by a call that has lost its flight.
        case lost
        /// Fails by such a call.
        case lostFailure
        /// Makes a load first, and finishes with it.
        case withLoad
        /// Waits for a load that has lost the flight, and so is held by it: it waits for itself.
        case withDetachedLoad
    }

    struct Flight: Sendable {
        var time: Int
        var ending: Ending

        var fails: Bool {
            switch ending {
            case .failure, .lostFailure: true
            default: false
            }
        }
    }

    var isAsync: Bool
    /// Whether it is a hook of some requests, and not of the `Swifty`.
    var isOfRequests: Bool
    /// Whether it knows without being asked that it is satisfied.
    var isKnown: Bool
    /// Whether it is satisfied at first.
    var isSatisfied: Bool
    /// The times that answers take in turn, if it is asynchronous; again from the first; none if they take no time.
    var answerTimes: [Int]
    var timeout: Int
    /// The flights in turn; later ones succeed.
    var flights: [Flight]
    /// The time after which it is not satisfied any more; `nil` for never.
    var lifetime: Int?

    init(_ random: inout SimulationRandom) {
        isAsync = random.chance(50)
        isKnown = random.chance(40)
        isSatisfied = random.chance(20)
        answerTimes = random.chance(60) ? [] : (0..<random.number(1...3)).map { _ in random.spread(0...1_000) }
        timeout = random.choose([2: 60_000, 1: random.spread(1...2_000)])
        flights = (0..<random.number(0...3)).map { _ in
            Flight(
                time: random.spread(0...3_000),
                ending: random.choose([
                    6: Ending.success, 3: .failure, 2: .never, 2: .twice(later: random.spread(0...2_000)), 2: .lost,
                    2: .lostFailure, 1: .withDetachedLoad, 3: .withLoad,
                ])
            )
        }
        lifetime = random.chance(70) ? nil : random.spread(1...3_000)
        isOfRequests = random.chance(20)
    }

    func flight(_ index: Int) -> Flight {
        flights.indices.contains(index) ? flights[index] : Flight(time: 10, ending: .success)
    }

    func answerTime(_ index: Int) -> Int {
        answerTimes.isEmpty ? 0 : answerTimes[index % answerTimes.count]
    }

    var description: String {
        (isOfRequests ? "of some requests, " : "") + (isAsync ? "async" : "blocking")
            + ", \(isKnown ? "known" : "asked"), \(isSatisfied ? "satisfied" : "open"), "
            + "answers in \(answerTimes) ms, timeout \(timeout) ms, "
            + "lifetime \(lifetime.map { "\($0) ms" } ?? "endless"), "
            + "flights \(flights.map { "\($0.ending) after \($0.time) ms" })"
    }

    var simplifications: [ConstraintPlan] {
        flights.indices.map { index in
            var plan = self
            plan.flights.remove(at: index)
            return plan
        } + (answerTimes.isEmpty ? [] : replacing(self, \.answerTimes, with: [[]]))
            + answerTimes.indices.flatMap { replacing(self, \.answerTimes[$0], with: answerTimes[$0].simpler()) }
            + (lifetime == nil ? [] : replacing(self, \.lifetime, with: [nil]))
            + (isKnown ? replacing(self, \.isKnown, with: [false]) : [])
            + (isOfRequests ? replacing(self, \.isOfRequests, with: [false]) : [])
            + flights.indices.flatMap { replacing(self, \.flights[$0].time, with: flights[$0].time.simpler()) }
    }
}
