// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SimulationCore

@testable import SwiftySupport

/// Dispatch, played by a world: the blocks of a serial queue run in their order, all others in any.
///
/// No block runs on a thread of Dispatch. The queues themselves are only names.
final class SimulatedQueues {
    private struct Line {
        /// Kept, so that no other queue gets its address.
        let queue: DispatchQueue
        var blocks: [DispatchFunctions.Block] = []
    }

    private struct GroupEnd {
        let group: DispatchGroup
        let queue: DispatchQueue
        let block: DispatchFunctions.Block
    }

    /// How late the next block of a queue is, in nanoseconds; `nil` if it may run now. Those of a serial queue keep
    /// their order.
    var pause: (DispatchQueue) -> Int64? = { _ in nil }

    private let world: World
    private var lines: [ObjectIdentifier: Line] = [:]
    private var groupEnds: [GroupEnd] = []

    // Safety: the one thread of the simulation sets and reads it.
    nonisolated(unsafe) private static var current: SimulatedQueues?

    init(_ world: World) {
        self.world = world
    }

    /// Has this world run the blocks of all queues, until another one does.
    func takeOver() {
        Self.install
        Self.current = self
        world.afterStep = { [unowned self] in runEndedGroups() }
    }

    private static let install: Void = {
        DispatchFunctions.current.run = { queue, block in current?.run(queue, block) }
        DispatchFunctions.current.runLater = { queue, pause, block in
            guard let current else { return }
            current.world.after(pause.nanoseconds) { current.run(queue, block) }
        }
        DispatchFunctions.current.runAtEnd = { group, queue, block in
            current?.groupEnds.append(GroupEnd(group: group, queue: queue, block: block))
        }
    }()

    private func run(_ queue: DispatchQueue, _ block: @escaping DispatchFunctions.Block) {
        if Self.isConcurrent(queue) { return soon(queue) { block() } }
        let name = ObjectIdentifier(queue)
        lines[name, default: Line(queue: queue)].blocks.append(block)
        soon(queue) { [unowned self] in runFirst(of: name) }
    }

    private func soon(_ queue: DispatchQueue, _ action: @escaping () -> Void) {
        if let pause = pause(queue) { world.after(pause, action) } else { world.soon(action) }
    }

    private func runFirst(of name: ObjectIdentifier) {
        guard let block = lines[name]?.blocks.removeFirst() else { return }
        if lines[name]?.blocks.isEmpty == true { lines[name] = nil }
        block()
    }

    private func runEndedGroups() {
        guard !groupEnds.isEmpty else { return }
        let ended = groupEnds.filter { $0.group.wait(timeout: .now()) == .success }
        guard !ended.isEmpty else { return }
        groupEnds.removeAll { end in ended.contains { $0.group === end.group } }
        for end in ended { run(end.queue, end.block) }
    }

    /// Swifty's own concurrent queues, and the global ones.
    private static func isConcurrent(_ queue: DispatchQueue) -> Bool {
        ["swifty.delivery", "swifty.cache.reads"].contains(queue.label) || queue.label.hasPrefix("com.apple.root.")
    }
}

extension Duration {
    /// At most some two hundred years, and rounded up: what sleeps does not wake too early.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 6_000_000_000 else { return 6_000_000_000_000_000_000 }
        return seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
    }

    /// A time of the plan.
    static func planned(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }
}

extension Int {
    /// Milliseconds of the plan in nanoseconds.
    var milliseconds: Int64 { Int64(self) * 1_000_000 }
}
