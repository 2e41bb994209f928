// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// A load: its request, the form in which it is loaded, and what its caller does meanwhile. Times are milliseconds.
struct LoadPlan: Sendable, CustomStringConvertible {
    enum Form: Sendable {
        /// With a closure.
        case closure
        /// In a task that waits for it.
        case task
        /// As a stream, whose reader pauses before each part, and leaves after some of them.
        case stream(pause: Int, parts: Int?)
        /// Together with the loads that follow it, in a batch.
        case batch(size: Int, stopsOnFailure: Bool)
        /// To a file.
        case download(DownloadPlan)
        /// As events, until so many of them have come, with a pause before each.
        case events(count: Int, attempts: Int, pause: Int)
        /// From a mock, which may be an error.
        case mock(fails: Bool)
    }

    enum Content: Sendable {
        case none
        case memory
        case stream(isReplayable: Bool)
        /// As a stream that is said to be replayable: each attempt after the first writes the rest, or nothing.
        case usedUp(hasRest: Bool)
    }

    var time: Int
    var resource: Int
    var form: Form
    var method: String
    var content: Content
    var hasKey: Bool
    var priority: Int
    var tag: Int
    var canHaveConstraints: Bool
    /// The load's own number of attempts; `nil` for that of the setup.
    var attempts: Int?
    var total: Int?
    /// The time that its caller has left, and that which it has spent before.
    var deadline: Int?
    var spent = 0
    var attempt: Int?
    var cancelTime: Int?
    /// The load's own further requests; `nil` for those of the setup.
    var hedging: SetupPlan.Hedging?
    /// Whether it is critical (2), ordinary, or deferrable (0).
    var level: Int
    /// Whether it has the constraints of requests.
    var hasOwnConstraints: Bool
    /// The rate at which content is received, in bytes a second; `nil` for none.
    var rate: Int?
    /// The most bytes of a response in memory; `nil` for any.
    var contentLimit: Int?

    init(_ random: inout SimulationRandom, resourceCount: Int, hasFiles: Bool) {
        time = random.chance(40) ? 0 : random.spread(0...5_000)
        resource = random.below(resourceCount)
        form = random.choose([
            6: Form.closure, 5: .task,
            3: .stream(pause: random.spread(0...1_000), parts: random.chance(70) ? nil : random.below(4)),
            1: .batch(size: random.number(1...3), stopsOnFailure: random.chance(50)),
            hasFiles ? 8 : 0: .download(DownloadPlan(&random)),
            1: .events(
                count: random.number(1...12),
                attempts: random.number(0...4),
                pause: random.chance(50) ? 0 : random.spread(1...1_000)
            ),
            1: .mock(fails: random.chance(40)),
        ])
        method = random.choose([6: "GET", 3: "POST", 1: "PUT", 1: "PATCH", 1: "DELETE", 1: "HEAD"])
        content = random.choose([
            4: Content.none, 4: .memory, 2: .stream(isReplayable: true), 2: .stream(isReplayable: false),
            1: .usedUp(hasRest: random.chance(50)),
        ])
        switch form {
        case .download, .events: method = "GET"
        default: break
        }
        if ["GET", "HEAD"].contains(method) { content = .none }
        hasKey = method == "POST" && random.chance(30)
        priority = random.chance(60) ? 2 : random.below(5)
        tag = random.below(3)
        canHaveConstraints = random.chance(90)
        attempts = random.chance(80) ? nil : random.number(1...4)
        total = random.chance(80) ? nil : random.spread(1...6_000)
        switch form {
        case .task, .stream, .download, .events: deadline = random.chance(80) ? nil : random.spread(0...6_000)
        case .closure, .mock, .batch: deadline = nil
        }
        if deadline != nil, random.chance(40) { spent = random.spread(1...2_000) }
        attempt = random.chance(85) ? nil : random.spread(1...2_000)
        cancelTime = random.chance(75) ? nil : random.spread(0...6_000)
        hedging = random.chance(92) ? nil : SetupPlan.Hedging(&random)
        level = random.choose([4: 1, 1: 0, 1: 2])
        hasOwnConstraints = random.chance(70)
        rate = random.chance(94) ? nil : random.spread(1...1_000)
        contentLimit = random.chance(95) ? nil : random.spread(1...60)
    }

    /// The content of the request.
    var text: String {
        switch content {
        case .none: ""
        case .memory: "content"
        case .stream, .usedUp: "firstsecond"
        }
    }

    /// A GET without any disturbance.
    static let plain: LoadPlan = {
        var random = SimulationRandom(seed: 0)
        var plan = LoadPlan(&random, resourceCount: 1, hasFiles: false)
        (plan.time, plan.form, plan.method, plan.content, plan.hasKey) = (0, .closure, "GET", .none, false)
        (plan.priority, plan.canHaveConstraints, plan.attempts, plan.total) = (2, true, nil, nil)
        (plan.attempt, plan.cancelTime, plan.deadline, plan.tag) = (nil, nil, nil, 9)
        (plan.spent, plan.hedging, plan.level, plan.hasOwnConstraints) = (0, nil, 1, true)
        (plan.rate, plan.contentLimit) = (nil, nil)
        return plan
    }()

    /// What is under the URL of its resource.
    var kind: RequestCall.Kind {
        switch form {
        case .download: .file
        case .events: .events
        default: .plain
        }
    }

    var description: String {
        let parts: [String?] = [
            "after \(time) ms \(method) of resource \(resource) as \(form)", hasKey ? "with a key" : nil,
            ["GET", "HEAD"].contains(method) ? nil : "content \(content)", priority == 2 ? nil : "priority \(priority)",
            canHaveConstraints ? nil : "without constraints", attempts.map { "\($0) attempts" },
            total.map { "total limit \($0) ms" }, deadline.map { "deadline after \($0) ms" },
            spent == 0 ? nil : "\(spent) ms of it are spent before",
            attempt.map { "limit of an attempt \($0) ms" },
            cancelTime.map { "cancelled after \($0) ms" }, hedging.map { "\($0)" },
            [0: "deferrable", 2: "critical"][level], hasOwnConstraints ? nil : "without constraints of requests",
            rate.map { "\($0) bytes a second" }, contentLimit.map { "at most \($0) bytes" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    var simplifications: [LoadPlan] {
        var plans: [LoadPlan] = []
        for limit in [\LoadPlan.cancelTime, \.total, \.deadline, \.attempt, \.attempts, \.rate, \.contentLimit]
        where self[keyPath: limit] != nil {
            plans += replacing(self, limit, with: [nil])
        }
        if spent != 0 { plans += replacing(self, \.spent, with: spent.simpler()) }
        if priority != 2 { plans += replacing(self, \.priority, with: [2]) }
        if level != 1 { plans += replacing(self, \.level, with: [1]) }
        if hedging != nil { plans += replacing(self, \.hedging, with: [nil]) }
        plans += replacing(self, \.time, with: time.simpler())
        if let cancelTime { plans += replacing(self, \.cancelTime, with: cancelTime.simpler()) }
        return plans
    }
}

/// The options of a download. Times are milliseconds.
struct DownloadPlan: Sendable {
    /// The number of the file.
    var target: Int
    var maximumResumptions: Int
    var isResumable: Bool
    var continuesEarlier: Bool
    var keepsComplete: Bool
    var replaces: Bool
    var checkpointInterval: Int
    /// The number of the write that fails; `nil` for none.
    var failingWrite: Int?

    init(_ random: inout SimulationRandom) {
        target = random.below(2)
        maximumResumptions = random.number(0...4)
        isResumable = random.chance(85)
        continuesEarlier = random.chance(85)
        keepsComplete = random.chance(15)
        replaces = random.chance(85)
        checkpointInterval = random.choose([2: 2_000, 1: 0, 1: random.spread(1...500)])
        failingWrite = random.chance(85) ? nil : random.number(1...5)
    }
}
