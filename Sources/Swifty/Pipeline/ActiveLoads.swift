// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The loads in flight of one `Swifty`, for counting and cancelling.
final class ActiveLoads: Sendable {
    struct Ticket {
        /// Unique in the process; see ``LoadNumber``.
        let number: UInt64
        fileprivate let slot: Int
    }

    private struct Entry {
        let cancellation: LoadCancellation
        let tags: Set<String>
    }

    /// Which loads are accepted.
    private enum Phase {
        /// All.
        case open
        /// Only those that hooks and constraints make, while other loads are in flight, here or in other instances
        /// for which this one is held.
        case closing
        /// None.
        case closed
    }

    private struct State {
        /// `nil` in a free slot, which the next load takes.
        var slots: [Entry?] = []
        var freeSlots: [Int] = []
        /// The number of the latest load.
        var lastNumber = LoadNumber.ofNewInstance()
        var phase = Phase.open
        var statistics = Swifty.Statistics()
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// How many times the instance is held for the loads of others.
        var holds = 0
        /// What is called when later loads are refused, by the numbers of their loads.
        var closers: [UInt64: @Sendable () -> Void] = [:]

        var inFlight: Int { slots.count - freeSlots.count }
        /// Whether no load is in flight that a later one may belong to.
        var isDrained: Bool { inFlight == 0 && holds == 0 }

        mutating func put(_ entry: Entry) -> Int {
            guard let slot = freeSlots.popLast() else {
                slots.append(entry)
                return slots.count - 1
            }
            slots[slot] = entry
            return slot
        }

        /// Whether a load that begins now is accepted.
        var accepts: Bool {
            switch phase {
            case .open: true
            case .closing: InnerLoad.isMadeHere
            case .closed: false
            }
        }

        mutating func clear(_ slot: Int) {
            slots[slot] = nil
            freeSlots.append(slot)
            closeIfDrained()
        }

        mutating func closeIfDrained() {
            if phase == .closing, isDrained { phase = .closed }
        }

        mutating func takeWaitersIfDrained() -> [CheckedContinuation<Void, Never>] {
            guard isDrained, !waiters.isEmpty else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())
    /// Whether later loads are refused.
    var isClosed: Bool { state.withLock { $0.phase != .open } }
    /// The number of the `Swifty`.
    var instance: Int { LoadNumber.instance(of: state.withLock(\.lastNumber)) }

    /// Adds a load.
    ///
    /// - Returns: The ticket to remove it with; `nil` if it is refused, after ``close()`` or ``end()``.
    func insert(_ cancellation: LoadCancellation, tags: Set<String>) -> Ticket? {
        state.withLock { state in
            guard state.accepts else { return nil }
            state.lastNumber += 1
            state.statistics.started += 1
            return Ticket(number: state.lastNumber, slot: state.put(Entry(cancellation: cancellation, tags: tags)))
        }
    }

    /// Removes a load that has ended, and counts its outcome. Call it once for each ticket.
    func remove(_ ticket: Ticket, _ error: SwiftyError?, attempts: Int) {
        let waiters = state.withLock { state in
            state.clear(ticket.slot)
            if !state.closers.isEmpty { state.closers[ticket.number] = nil }
            state.statistics.count(error, attempts: attempts)
            return state.takeWaitersIfDrained()
        }
        for waiter in waiters { waiter.resume() }
    }

    var statistics: Swifty.Statistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.inFlight = state.inFlight
            return statistics
        }
    }

    /// Cancels all loads, or those with a tag.
    ///
    /// - Returns: The number of cancelled loads.
    @discardableResult
    func cancel(tag: String?, with code: SwiftyError.Code, reason: String?, cause: (any Error)? = nil) -> Int {
        let loads = state.withLock { state in
            state.slots.compactMap(\.self).filter { tag.map($0.tags.contains) ?? true }.map(\.cancellation)
        }
        for load in loads { load.cancel(with: code, reason: reason, cause: cause) }
        return loads.count
    }

    /// Refuses later loads, except for those that loads in flight need, and asks those that can to end.
    func close() {
        let closers = state.withLock { state in
            if state.phase == .open { state.phase = .closing }
            state.closeIfDrained()
            defer { state.closers = [:] }
            return state.closers.values
        }
        for close in closers { close() }
    }

    /// Refuses all later loads, and ends those in flight.
    func end() {
        state.withLock { $0.phase = .closed }
        cancel(tag: nil, with: .shutdown, reason: nil)
    }

    /// Calls a closure when later loads are refused; at once, if they are already.
    func onClose(of load: UInt64, _ close: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if state.phase == .open { state.closers[load] = close }
            return state.phase != .open
        }
        if isClosed { close() }
    }

    /// Forgets what was given to ``onClose(of:_:)``.
    func forgetClosing(of load: UInt64) {
        state.withLock { $0.closers[load] = nil }
    }

    /// Counts as a load in flight until ``release()``, except in the statistics.
    func hold() {
        state.withLock { $0.holds += 1 }
    }

    func release() {
        let waiters = state.withLock { state in
            state.holds -= 1
            state.closeIfDrained()
            return state.takeWaitersIfDrained()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the last load is removed.
    func drain() async {
        await withCheckedContinuation { continuation in
            let waiters = state.withLock { state in
                state.waiters.append(continuation)
                return state.takeWaitersIfDrained()
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}

extension Swifty.Statistics {
    fileprivate mutating func count(_ error: SwiftyError?, attempts: Int) {
        switch error {
        case nil: succeeded += 1
        case let error? where error.isCancelled: cancelled += 1
        default: failed += 1
        }
        self.attempts += attempts
        retries += max(0, attempts - 1)
    }
}
