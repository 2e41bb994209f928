// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyTransport
import Synchronization

import struct Foundation.Data

// Safety: one thread uses it.
/// The content of one load's request, produced while it is sent.
final class SimulatedSource: ContentSource, @unchecked Sendable {
    struct Failure: Error {}

    private let plan: SourcePlan
    private let caller: Caller
    private var world: World { caller.world }
    private var position = 0
    private var isAgain: Bool
    private var isCancelled = false
    private var isAsked = false
    /// Whether it has said that it has ended, or failed.
    private var isOver = false

    init(_ plan: SourcePlan, of caller: Caller, isAgain: Bool = false) {
        self.plan = plan
        self.caller = caller
        self.isAgain = isAgain
        caller.sources.live += 1
        caller.sources.count += 1
    }

    deinit {
        caller.sources.live -= 1
        world.expect(
            isOver || isCancelled || !isAsked,
            "a source that is not needed any more is cancelled",
            "load \(caller.number), at \(position)"
        )
    }

    var length: Int? { plan.announcesLength ? plan.size : nil }
    var isRewindable: Bool { plan.isRewindable }

    private var size: Int { max(0, (isAgain ? plan.secondSize ?? plan.size : plan.size) + plan.surplus) }

    func next() async throws -> Data? {
        caller.sources.busy += 1
        let asked = world.now
        caller.sources.asked.append(asked)
        defer {
            caller.sources.busy -= 1
            caller.sources.lastAnswer = world.now
            if isAwaited(since: asked) { caller.sources.lastAwaitedAnswer = world.now }
        }
        let load = caller.number
        isAsked = true
        world.note(.sourceAsked, load, position, "load \(load): the source is asked at \(position)")
        if plan.isDeaf || !isCancelled { await world.sleep(caller.isPatient ? plan.pause : 0) }
        let end = min(size, plan.failsAt ?? size)
        if position < end {
            let part = Content.request(load, position..<min(end, position + plan.part))
            position += part.count
            return Data(part)
        }
        isOver = true
        if plan.failsAt != nil {
            world.note(.sourceFailed, load, position, "load \(load): the source fails")
            throw Failure()
        }
        world.note(.sourceEnded, load, position, "load \(load): the source has ended")
        return nil
    }

    /// Whether the client has long sent everything that was there.
    private func isAwaited(since asked: Int64) -> Bool {
        guard let line = caller.line, !line.isClosedByClient, let writable = line.writableSince else { return false }
        return world.now - max(asked, writable) > Invariants.tolerance + Int64(world.lag.nanoseconds) * 20
    }

    func rewind() async throws {
        world.note(.sourceRewound, caller.number, 0, "load \(caller.number): the source is rewound")
        world.expect(plan.isRewindable, "a source that cannot be rewound is not", "load \(caller.number)")
        (position, isAgain, isOver) = (0, true, false)
    }

    func replayed() -> (any ContentSource)? {
        guard plan.isReplayable else { return nil }
        world.note(.sourceReplayed, caller.number, 0, "load \(caller.number): another source")
        return SimulatedSource(plan, of: caller, isAgain: true)
    }

    func cancel() {
        if isCancelled { return }
        isCancelled = true
        caller.sources.cancelled += 1
        world.note(.sourceCancelled, caller.number, 0, "load \(caller.number): the source is cancelled")
    }
}
