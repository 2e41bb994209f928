// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Counts outcomes within a sliding time, in ten steps: however many there are, it takes the same space.
struct OutcomeWindow {
    private struct Step {
        var index: Int64 = -1
        var failures = 0
        var total = 0
    }

    private static let stepCount = 10
    private let stepLength: Duration
    private var steps: [Step] = []

    init(length: Duration) {
        stepLength = max(length / Self.stepCount, .milliseconds(1))
    }

    mutating func add(isFailure: Bool, now: Duration) {
        if steps.isEmpty { steps = Array(repeating: Step(), count: Self.stepCount) }
        let index = step(at: now)
        let slot = Int(index % Int64(Self.stepCount))
        if steps[slot].index != index { steps[slot] = Step(index: index) }
        steps[slot].total += 1
        if isFailure { steps[slot].failures += 1 }
    }

    /// What was counted within the window that ends now.
    func counts(now: Duration) -> (failures: Int, total: Int) {
        let oldest = step(at: now) - Int64(Self.stepCount)
        return steps.reduce(into: (0, 0)) { sum, step in
            if step.index > oldest { sum = (sum.0 + step.failures, sum.1 + step.total) }
        }
    }

    private func step(at now: Duration) -> Int64 {
        max(0, Int64(now / stepLength))
    }
}
