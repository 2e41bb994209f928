// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// A history of the pipeline: the configuration, what the servers do, the loads, and what disturbs them.
struct PipelinePlan: Plan {
    var setup: SetupPlan
    var resources: [ResourcePlan]
    var loads: [LoadPlan]
    var acts: [ActPlan]

    /// Draws up a history of 1 to 20 loads.
    init(_ random: inout SimulationRandom) {
        let setup = SetupPlan(&random)
        let count = random.spread(1...20)
        // Few resources for many loads: they meet in the queues, in flights, and in shared transfers.
        let resourceCount = random.number(1...max(1, min(count, 4)))
        self.setup = setup
        resources = (0..<resourceCount).map { _ in ResourcePlan(&random, of: resourceCount) }
        // Files are slow, and so they are in some histories only.
        let hasFiles = random.chance(10)
        for index in resources.indices where hasFiles && random.chance(30) { resources[index].interrupt(&random) }
        loads = (0..<count).map { _ in LoadPlan(&random, resourceCount: resourceCount, hasFiles: hasFiles) }
        acts = (0..<(random.chance(50) ? 0 : random.number(1...4))).map { _ in ActPlan(&random, loadCount: count) }
        if random.chance(3) { shutDownReader(&random) }
    }

    var story: [String] {
        setup.story + resources.enumerated().map { "resource \($0): \($1)" }
            + loads.enumerated().map { "load \($0): \($1)" } + acts.map { "\($0)" }
    }

    var simplifications: [PipelinePlan] {
        shortening(\.acts) + shortening(\.loads) + replacing(self, \.setup, with: setup.simplifications)
            + simplifying(\.resources) { $0.simplifications } + simplifying(\.loads) { $0.simplifications }
            + simplifying(\.acts) { replacing($0, \.time, with: $0.time.simpler()) }
    }
}

/// What happens to the whole `Swifty`, or to one load, at a time in milliseconds.
struct ActPlan: CustomStringConvertible {
    enum Kind {
        case pause(for: Int)
        case setPriority(load: Int, Int)
        case setQuality(Int)
        case cancelTag(Int)
        case cancelAll
        case shutdown(graceful: Int)
        /// The history gives up its reference.
        case release
    }

    var time: Int
    var kind: Kind

    init(time: Int, kind: Kind) {
        (self.time, self.kind) = (time, kind)
    }

    init(_ random: inout SimulationRandom, loadCount: Int) {
        time = random.spread(0...8_000)
        kind = random.choose([
            5: Kind.pause(for: random.spread(1...4_000)),
            4: .setPriority(load: random.below(loadCount), random.below(5)),
            2: .setQuality(random.below(4)),
            3: .cancelTag(random.below(3)),
            2: .cancelAll,
            2: .shutdown(graceful: random.chance(50) ? 0 : random.spread(1...5_000)),
            2: .release,
        ])
    }

    var description: String { "after \(time) ms: \(kind)" }
}
