// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

/// Plays histories, one after the other, and says what they found.
public struct Runner {
    private let options: RunnerOptions
    private let stages: [any Stage]
    private let print: (String) -> Void
    private var digest = StableHash()
    private var historyCount = 0
    private var findingCount = 0
    /// The invariants of which a minimal history was printed.
    private var explained: [String] = []

    /// Makes a runner.
    ///
    /// - Parameter print: Takes the lines of the output.
    public init(_ options: RunnerOptions, _ scenarios: [any Scenario.Type], print: @escaping (String) -> Void) {
        self.options = options
        self.print = print
        stages = scenarios.map { makeStage($0) }.filter { options.only == nil || $0.name == options.only }
    }

    /// Plays, prints a summary as the last line, and returns whether there were no findings.
    public mutating func run() -> Bool {
        simulation_report_crashes()
        let start = simulation_system_time()
        if let single = options.history {
            play(single)
        } else {
            while !isOver(since: start) { play(UInt64(historyCount)) }
        }
        if options.isReporting { report() }
        let seconds = Double(max(1, simulation_system_time() - start)) / 1_000_000_000
        let rate = Int((Double(historyCount) / seconds).rounded())
        let hex = String(digest.value, radix: 16)
        let padded = String(repeating: "0", count: 16 - hex.count) + hex
        let counts = "\(historyCount) histories, \(rate) a second"
        print("\(counts), seed \(options.seed), \(findingCount) findings, digest \(padded)")
        return findingCount == 0
    }

    private func isOver(since start: Int64) -> Bool {
        if stages.isEmpty || options.stopsAtFinding && findingCount > 0 { return true }
        if let limit = options.historyLimit, historyCount >= limit { return true }
        return options.seconds.map { simulation_system_time() - start >= Int64($0 * 1_000_000_000) } ?? false
    }

    private mutating func play(_ index: UInt64) {
        guard !stages.isEmpty else { return }
        simulation_note_history(options.seed, index)
        let stage = stages[Int(index % UInt64(stages.count))]
        let seed = SimulationRandom.seed(options.seed, index)
        let result = stage.play(seed, isRead: options.isTracing)
        historyCount += 1
        findingCount += result.findings.count
        digest.add(Int(truncatingIfNeeded: result.digest))
        for line in result.lines { print(line) }
        for finding in result.findings { explain(finding, at: index, seed, stage) }
    }

    /// Prints the minimal history of the first finding of its kind.
    private mutating func explain(_ finding: Finding, at index: UInt64, _ seed: UInt64, _ stage: any Stage) {
        let kind = "\(stage.name): \(finding.invariant)"
        if explained.contains(kind) { return }
        explained.append(kind)
        print("FINDING in \(kind)")
        print("  \(finding.text) (at\(Milliseconds(finding.time)))")
        let only = options.only.map { " --only \($0)" } ?? ""
        print("  repeated by: Scripts/simulate --seed \(options.seed)\(only) --history \(index) --trace")
        for line in stage.explain(seed, finding.invariant, isShrinking: options.isShrinking) { print("  \(line)") }
    }

    private func report() {
        for stage in stages {
            print("coverage of \(stage.name)")
            for line in stage.coverage.report { print("  \(line)") }
        }
    }
}

// MARK: Stages

/// A scenario and what its histories have covered.
private protocol Stage {
    var name: String { get }
    var coverage: Coverage { get }
    func play(_ seed: UInt64, isRead: Bool) -> StageResult
    func explain(_ seed: UInt64, _ invariant: String, isShrinking: Bool) -> [String]
}

private struct StageResult {
    let findings: [Finding]
    let digest: UInt64
    let lines: [String]
}

private func makeStage<Subject: Scenario>(_ scenario: Subject.Type) -> any Stage {
    ScenarioStage<Subject>()
}

private struct ScenarioStage<Subject: Scenario>: Stage {
    let coverage = Coverage.make(for: Subject.self)
    var name: String { Subject.name }

    private func plan(_ seed: UInt64) -> Subject.History {
        var random = SimulationRandom(seed: seed)
        return Subject.plan(&random)
    }

    /// The seed of the order, which the plan's numbers do not share.
    private func orderSeed(_ seed: UInt64) -> UInt64 { SimulationRandom.seed(seed, 1) }

    func play(_ seed: UInt64, isRead: Bool) -> StageResult {
        let plan = plan(seed)
        let world = Played<Subject>(plan, seed: orderSeed(seed), coverage: coverage, isRead: isRead).world
        let lines = isRead ? ["the plan:"] + plan.story + ["what happened:"] + world.trace.lines : []
        return StageResult(findings: world.findings, digest: world.trace.digest, lines: lines)
    }

    func explain(_ seed: UInt64, _ invariant: String, isShrinking: Bool) -> [String] {
        var plan = plan(seed)
        if isShrinking { plan = Shrinker<Subject>(seed: orderSeed(seed), invariant: invariant).shrink(plan) }
        let coverage = Coverage.make(for: Subject.self)
        let world = Played<Subject>(plan, seed: orderSeed(seed), coverage: coverage, isRead: true).world
        let events = abridged(world.trace.lines)
        return ["the plan:"] + plan.story.map { "  \($0)" } + ["what happened:"] + events.map { "  \($0)" }
    }

    /// The beginning and the end of a long story: one that does not end would fill the output.
    private func abridged(_ lines: [String]) -> [String] {
        let shown = 200
        if lines.count <= 2 * shown { return lines }
        let middle = "… \(lines.count - 2 * shown) lines, which --trace prints …"
        return lines.prefix(shown) + [middle] + lines.suffix(shown)
    }
}
