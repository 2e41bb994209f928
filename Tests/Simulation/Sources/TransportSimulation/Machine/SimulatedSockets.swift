// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SimulationCore

@testable import SwiftyCurl

/// The sockets of a simulated thread: numbers that are used again, as soon as they are free, the lowest first.
final class SimulatedSockets: SocketSystem {
    private struct Entry {
        let line: Line
        var interest = CURL_POLL_NONE
        var generation: UInt32 = 0
    }

    weak var thread: SimulatedThread? {
        didSet { simulatedWaker.thread = thread }
    }
    private let world: World
    private let simulatedWaker = SimulatedWaker()
    private var entries: [Entry?] = []
    /// Which of so many registrations the system refuses.
    private let scarcity: Int
    private var controlCount = 0
    private var isRefusing = false

    init(_ world: World, scarcity: Int) {
        self.world = world
        self.scarcity = scarcity
    }

    var waker: any Waker { simulatedWaker }

    /// The number of sockets that are open.
    var openCount: Int { entries.count { $0 != nil } }

    func line(of socket: Int32) -> Line? { entries[Int(socket)]?.line }

    func open(_ line: Line) -> Int32 {
        let index = entries.firstIndex { $0 == nil } ?? entries.count
        if index == entries.count { entries.append(nil) }
        entries[index] = Entry(line: line)
        return Int32(index)
    }

    func close(_ socket: Int32) {
        entries[Int(socket)] = nil
    }

    func control(_ socket: Int32, generation: UInt32, _ what: Int32, isKnown: Bool) -> Bool {
        guard entries.indices.contains(Int(socket)), entries[Int(socket)] != nil else {
            world.report("a socket that is watched is open", "socket \(socket) is not")
            return false
        }
        if what != CURL_POLL_REMOVE, isScarce(isKnown: isKnown) {
            world.note(.socketUnwatched, Int(socket), 0, "socket \(socket) cannot be watched")
            return false
        }
        entries[Int(socket)]?.interest = what == CURL_POLL_REMOVE ? CURL_POLL_NONE : what
        entries[Int(socket)]?.generation = generation
        if hasReady { thread?.wake() }
        return true
    }

    /// Whether the system refuses, and does so again when it is asked in another way.
    private func isScarce(isKnown: Bool) -> Bool {
        if scarcity == 0 { return false }
        if !isRefusing { controlCount += 1 }
        isRefusing = !isRefusing && controlCount.isMultiple(of: scarcity)
        return controlCount.isMultiple(of: scarcity)
    }

    /// A line may have become ready.
    func noteChange(of socket: Int32) {
        guard entries.indices.contains(Int(socket)), let entry = entries[Int(socket)], events(of: entry) != 0 else {
            return
        }
        thread?.wake()
    }

    var hasReady: Bool {
        entries.contains { $0.map { events(of: $0) != 0 } ?? false }
    }

    func wait(
        milliseconds: Int32,
        for poll: SocketPoll,
        into events: UnsafeMutableBufferPointer<ccurl_ready>
    ) -> SocketEvents {
        // A signal has ended the wait.
        if world.random.below(64) == 0 { return SocketEvents() }
        var count = 0
        for (socket, entry) in entries.enumerated() where count < events.count {
            guard let entry else { continue }
            let ready = self.events(of: entry)
            guard ready != 0 else { continue }
            events[count] = ccurl_ready(socket: Int32(socket), generation: entry.generation, events: ready)
            count += 1
        }
        // In any order.
        for index in stride(from: count - 1, to: 0, by: -1) {
            events.swapAt(index, world.random.below(index + 1))
        }
        return SocketEvents(count: count, isComplete: count < events.count)
    }

    private func events(of entry: Entry) -> Int32 {
        if entry.interest == CURL_POLL_NONE { return 0 }
        var events: Int32 = 0
        // As with epoll, the end is reported whatever is watched.
        if entry.line.isReadable, entry.interest & CURL_POLL_IN != 0 { events |= CURL_CSELECT_IN }
        if entry.line.isReset { events |= CURL_CSELECT_IN | CURL_CSELECT_ERR }
        if entry.interest & CURL_POLL_OUT != 0, entry.line.isWritable { events |= CURL_CSELECT_OUT }
        return events
    }
}

// Safety: one thread uses it.
private final class SimulatedWaker: Waker, @unchecked Sendable {
    weak var thread: SimulatedThread?

    func wake() {
        thread?.wake()
    }

    func invalidate() {}
}
