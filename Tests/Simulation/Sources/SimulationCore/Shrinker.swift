// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

/// Finds a simple history that breaks the same invariant as one that was found.
struct Shrinker<Subject: Scenario> {
    /// The seed of the order in which things happen.
    let seed: UInt64
    let invariant: String
    /// The time after which no further history is played, in nanoseconds.
    var timeLimit: Int64 = 10_000_000_000

    /// Makes the plan simpler step by step, as long as the invariant breaks.
    func shrink(_ plan: Subject.History) -> Subject.History {
        var current = plan
        let start = simulation_system_time()
        var isSimpler = true
        while isSimpler {
            isSimpler = false
            for candidate in current.simplifications {
                if simulation_system_time() - start > timeLimit { return current }
                guard breaks(candidate) else { continue }
                (current, isSimpler) = (candidate, true)
                break
            }
        }
        return current
    }

    private func breaks(_ plan: Subject.History) -> Bool {
        let played = Played<Subject>(plan, seed: seed, coverage: .make(for: Subject.self))
        return played.world.findings.contains { $0.invariant == invariant }
    }
}

/// A history that was played.
struct Played<Subject: Scenario> {
    let world: World

    init(_ plan: Subject.History, seed: UInt64, coverage: Coverage, isRead: Bool = false) {
        world = World(seed: seed, trace: Trace(coverage: coverage, isRead: isRead))
        Subject.play(plan, in: world)
    }
}

extension Coverage {
    static func make<Subject: Scenario>(for scenario: Subject.Type) -> Coverage {
        Coverage(events: Subject.Event.self, states: Subject.State.self)
    }
}
