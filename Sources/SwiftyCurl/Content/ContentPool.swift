// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// The unused pages of the process. They are unmapped after a period without use.
///
/// Offering them to the system instead (`MADV_FREE`) was measured: reusing such pages costs more than mapping new ones.
final class ContentPool: Sendable {
    private struct Spare {
        let pages: ContentPages
        let since: DispatchTime
    }

    private struct State {
        /// Unused pages, the longest unused ones first.
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

    /// The maximum number of unused bytes.
    let limit: Int
    /// The time after which unused pages are unmapped, at most twice as late.
    private let idleLimit: DispatchTimeInterval
    private let state = Mutex(State())

    /// By default, there is room for the content of two responses at the default limit.
    init(limit: Int = 64 << 20, idleLimit: DispatchTimeInterval = .seconds(5)) {
        self.limit = limit
        self.idleLimit = idleLimit
    }

    deinit {
        for spare in state.withLock({ $0.spares }) { spare.pages.unmap() }
    }

    /// The number of unused bytes.
    var byteCount: Int {
        state.withLock { $0.byteCount }
    }

    /// The smallest pages with enough room, unless most of it would be wasted.
    func take(_ needed: Int) -> ContentPages? {
        state.withLock { state in
            let capacities = state.spares.map(\.pages.capacity)
            let fitting = capacities.indices.filter { capacities[$0] >= needed && capacities[$0] / 4 <= needed }
            let best = fitting.min { capacities[$0] < capacities[$1] }
            return best.map { state.spares.remove(at: $0).pages }
        }
    }

    /// Keeps pages that are no longer used, and unmaps the oldest ones beyond the limit.
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
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + idleLimit) { [weak self] in self?.trim() }
    }

    private func trim() {
        let (old, mustTrim) = state.withLock { state in
            let old = state.spares.prefix { $0.since + idleLimit <= .now() }
            state.spares.removeFirst(old.count)
            state.isTrimming = !state.spares.isEmpty
            return (old, state.isTrimming)
        }
        for spare in old { spare.pages.unmap() }
        if mustTrim { trimLater() }
    }
}
