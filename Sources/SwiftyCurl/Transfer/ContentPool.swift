// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Pages that no content uses at the moment, of the whole process. They are unmapped when nothing has used them for a while.
///
/// To offer them to the system instead (`MADV_FREE`) was tried: using such pages again costs more than mapping new ones.
final class ContentPool: Sendable {
    private struct Spare {
        let pages: ContentPages
        let since: DispatchTime
    }

    private struct State {
        /// Those first that have lain here longest.
        var spares: [Spare] = []
        var isTrimming = false

        var byteCount: Int { spares.reduce(0) { $0 + $1.pages.capacity } }

        mutating func removeSurplus(over limit: Int) -> [Spare] {
            var surplus: [Spare] = []
            while byteCount > limit { surplus.append(spares.removeFirst()) }
            return surplus
        }
    }

    static let shared = ContentPool()

    /// How much may lie here, in bytes.
    let limit: Int
    /// How long it may, and at most twice as long.
    private let patience: DispatchTimeInterval
    private let state = Mutex(State())

    /// As a rule there is room for two contents of the default limit.
    init(limit: Int = 64 << 20, patience: DispatchTimeInterval = .seconds(5)) {
        self.limit = limit
        self.patience = patience
    }

    deinit {
        for spare in state.withLock({ $0.spares }) { spare.pages.unmap() }
    }

    /// How many bytes lie here.
    var byteCount: Int {
        state.withLock { $0.byteCount }
    }

    /// The least pages that have room for so many bytes, unless most of it would lie idle.
    func take(_ needed: Int) -> ContentPages? {
        state.withLock { state in
            let capacities = state.spares.map(\.pages.capacity)
            let fitting = capacities.indices.filter { capacities[$0] >= needed && capacities[$0] / 4 <= needed }
            let best = fitting.min { capacities[$0] < capacities[$1] }
            return best.map { state.spares.remove(at: $0).pages }
        }
    }

    /// Keeps the pages, and unmaps those that have lain here longest if it gets too much.
    func put(_ pages: ContentPages) {
        if pages.capacity > limit { return pages.unmap() }
        let (surplus, mustTrim) = state.withLock { state in
            state.spares.append(Spare(pages: pages, since: .now()))
            defer { state.isTrimming = true }
            return (state.removeSurplus(over: limit), !state.isTrimming)
        }
        for spare in surplus { spare.pages.unmap() }
        if mustTrim { trimLater() }
    }

    private func trimLater() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + patience) { [weak self] in self?.trim() }
    }

    private func trim() {
        let (old, mustTrim) = state.withLock { state in
            let old = state.spares.prefix { $0.since + patience <= .now() }
            state.spares.removeFirst(old.count)
            state.isTrimming = !state.spares.isEmpty
            return (old, state.isTrimming)
        }
        for spare in old { spare.pages.unmap() }
        if mustTrim { trimLater() }
    }
}
