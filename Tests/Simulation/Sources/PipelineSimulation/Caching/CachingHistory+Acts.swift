// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// What happens beside the loads.
extension CachingHistory {
    func perform(_ act: CachingPlan.Act) {
        switch act {
        case .remove(let index):
            guard index < plan.resources.count, let target = try? TargetURI(url(index)) else { return }
            world.note(CachingEvent.removed, index, 0, "resource \(index) is removed")
            cache.remove(target)
            changes[index, default: []].append(Change(time: world.now, isDurable: false))
        case .change(let index):
            if index < plan.resources.count { weakServer?.change(index) }
        case .removeAll:
            world.note(CachingEvent.emptied, 0, 0, "everything is removed")
            for index in plan.resources.indices {
                changes[index, default: []].append(Change(time: world.now, isDurable: false))
            }
            Task { await self.cache.removeAll() }
        case .restart: restart()
        case .kill: kill()
        case .breakDisk: breakDisk()
        case .mendDisk: mendDisk()
        case .shutdown:
            guard shutdownTime == nil, let swifty else { return }
            shutdownTime = world.now
            world.note(CachingEvent.shutdownBegins, 0, 0, "the Swifty is shut down")
            Task {
                await swifty.shutdown()
                self.world.note(CachingEvent.shutdownEnds, 0, 0, "the shutdown ends")
                self.world.expect(
                    swifty.statistics.inFlight == 0,
                    "no load is left after a shutdown",
                    "\(swifty.statistics.inFlight)"
                )
            }
        }
    }

    /// Whether no load is in flight, and others may come.
    private var isIdle: Bool { shutdownTime == nil && swifty?.statistics.inFlight == 0 }

    /// Replaces the process, unless it loads something.
    private func restart() {
        Task {
            guard self.isIdle else { return }
            await self.cache.flush()
            guard self.isIdle, let server = self.weakServer else { return }
            self.world.note(CachingEvent.restarted, 0, 0, "another process begins")
            self.mendDisk()
            if self.hasDiskFailed { self.forgetUnwritten() }
            self.makeSwifty(server)
        }
    }

    /// Kills the process, unless it loads something. What it has not written is lost.
    private func kill() {
        guard isIdle, plan.storage.isOnDisk, !plan.hasNeighbour, let server = weakServer else { return }
        world.note(CachingEvent.killed, 0, 0, "the process is killed, and another one begins")
        mendDisk()
        // The blocks of the old process go on with the old directory.
        files.copy(processCount, to: processCount + 1)
        processCount += 1
        forgetUnwritten()
        makeSwifty(server)
    }

    /// What is not known to be on the disk is unknown to the next process.
    private func forgetUnwritten() {
        for index in changes.keys { changes[index]?.removeAll { !$0.isDurable } }
        (newest, hasDiskFailed) = ([:], false)
    }

    private func breakDisk() {
        guard plan.storage.isOnDisk, !isDiskBroken else { return }
        world.note(CachingEvent.diskFails, 0, 0, "the disk fails")
        (isDiskBroken, hasDiskFailed) = (true, true)
        files.makeUnusable(processCount)
    }

    func mendDisk() {
        guard isDiskBroken else { return }
        world.note(CachingEvent.diskWorks, 0, 0, "the disk works again")
        isDiskBroken = false
        files.makeUsable(processCount)
    }
}
