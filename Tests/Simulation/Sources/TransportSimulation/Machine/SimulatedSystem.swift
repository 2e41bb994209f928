// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SimulationCore

@testable import SwiftyCurl

// Safety: one thread uses it.
/// What the loops of a simulated transport get from the outside.
final class SimulatedSystem: LoopSystem, @unchecked Sendable {
    let world: World
    let network: Network
    private(set) var threads: [SimulatedThread] = []
    private var absentThreads: Int
    private var absentLoops: Int
    /// The last time at which there was no thread, or nothing left for a loop; zero before the first time.
    private(set) var lastAbsence: Int64 = 0
    /// What is to start during an interrupted turn, in this order.
    private var starts: [Int: () -> Void] = [:]
    private var nextStart = 0
    /// The thread that is making its loop.
    private var starting: SimulatedThread?

    init(_ network: Network) {
        self.network = network
        world = network.world
        (absentThreads, absentLoops) = (network.plan.absentThreads, network.plan.absentLoops)
    }

    func startThread(named name: String, for context: LoopContext) -> (any LoopThreadHandle)? {
        if absentThreads > 0 {
            absentThreads -= 1
            lastAbsence = world.now
            world.note(.threadAbsent, threads.count, 0, "the system cannot start a thread")
            return nil
        }
        let thread = SimulatedThread(number: threads.count, context, self)
        threads.append(thread)
        world.soon { thread.start() }
        return thread
    }

    func makeResources(_ environment: CurlEnvironment) -> LoopResources? {
        guard let starting else { return nil }
        if absentLoops > 0 {
            absentLoops -= 1
            lastAbsence = world.now
            world.note(.loopAbsent, starting.number, 0, "the system has nothing left for loop \(starting.number)")
            return nil
        }
        let dialer = SimulatedDialer(network, starting)
        return LoopResources(environment: environment, SocketPoll(starting.sockets), dialer)
    }

    func removeThreads() {
        threads = []
    }

    func runElsewhere(_ job: LoopJob) {
        world.soon { job.run() }
    }

    func makeLoop(of thread: SimulatedThread, _ context: LoopContext) -> EventLoop? {
        starting = thread
        defer { starting = nil }
        return context.makeLoop()
    }
}

// MARK: Interruptions

extension SimulatedSystem {
    /// Starts something during an interrupted turn of a loop, but not much later than now.
    func startDuringTurn(_ start: @escaping () -> Void) {
        let number = nextStart
        nextStart += 1
        starts[number] = start
        world.after(Self.longestHold) { self.starts.removeValue(forKey: number)?() }
    }

    /// The time for which a turn that has received something is interrupted, if it is; starts some of what is to start
    /// during one.
    ///
    /// Nothing arrives in an interruption that takes no time. Others are longer than the time for which a wait tells
    /// what has arrived.
    func interruption() -> Int64? {
        guard network.plan.interruptedPercent > 0, world.random.chance(network.plan.interruptedPercent) else {
            return nil
        }
        for number in starts.keys.sorted() where world.random.chance(50) { starts.removeValue(forKey: number)?() }
        return world.random.chance(70) ? 0 : WaitRecord.usualValidity + Int64(world.random.below(100_000))
    }

    private static let longestHold: Int64 = 100_000_000
}

// Safety: one thread of the system uses it: the simulation's.
/// A thread on which a loop runs, one turn after the other.
final class SimulatedThread: LoopThreadHandle, @unchecked Sendable {
    let number: Int
    private(set) var loop: EventLoop?
    private(set) var sockets: SimulatedSockets
    private(set) var isEnded = false
    private let context: LoopContext
    // Safety: lives as long as the history.
    private unowned(unsafe) let system: SimulatedSystem
    private var world: World { system.world }
    /// Whether the loop waits, and until when.
    private var isWaiting = false
    private var timer: World.Timer?

    init(number: Int, _ context: LoopContext, _ system: SimulatedSystem) {
        self.number = number
        self.context = context
        self.system = system
        sockets = SimulatedSockets(system.world, scarcity: system.network.plan.scarcity)
        sockets.thread = self
    }

    // The thread ends by itself; its last action is to say so.
    func join() {
        world.expect(isEnded, "a thread that is joined has ended")
    }

    func detach() {}

    func start() {
        world.note(.threadStarted, number, 0, "the thread of loop \(number) starts")
        loop = system.makeLoop(of: self, context)
        if loop == nil { end(with: .noLoop) } else { act() }
    }

    /// Ends the wait, if there is one.
    func wake() {
        guard isWaiting else { return }
        isWaiting = false
        if let timer { world.cancel(timer) }
        timer = nil
        world.note(.loopWoken, number, 0, "loop \(number) wakes up")
        world.soon { self.receive() }
    }

    private func act() {
        guard let loop else { return }
        guard let time = loop.act() else { return world.soon { self.endLoop() } }
        if time != 0 { LoopWatch(loop, sockets, world).look(beforeSleepOf: time) }
        wait(time)
    }

    /// Commands still come while the loop ends, and before the thread does.
    private func endLoop() {
        loop?.end()
        loop = nil
        world.soon { self.end(with: .shutdown) }
    }

    private func wait(_ milliseconds: Int32) {
        // A turn takes its time.
        guard milliseconds != 0 else {
            world.after(1_000) { self.receive() }
            return
        }
        isWaiting = true
        if milliseconds > 0 { timer = world.after(Int64(milliseconds) * 1_000_000) { self.wake() } }
        if sockets.hasReady { wake() }
    }

    private func receive() {
        let before = system.network.receiveCount
        loop?.receive(within: 0)
        let hasReceived = system.network.receiveCount > before
        guard hasReceived, let time = system.interruption() else { return act() }
        world.note(.turnInterrupted, number, Int(time), "loop \(number) is interrupted for \(time / 1_000) µs")
        if time == 0 { world.soon { self.act() } } else { world.after(time) { self.act() } }
    }

    private func end(with failure: TransferFailure) {
        isEnded = true
        world.note(.threadEnded, number, 0, "the thread of loop \(number) ends")
        context.finish(with: failure)
    }
}
