// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Safety: immutable, and made of a `Sendable` value.
/// The identity of a constraint that is a value: its type, and the value if it has stored properties.
///
/// Each request makes such a value again. By its identity, the requests share the flights of one constraint.
struct ConstraintIdentity: Hashable, @unchecked Sendable {
    private let type: ObjectIdentifier
    private let value: AnyHashable?

    /// The identity of a value; `nil` if it has none.
    init?<Value: AsyncConstraint>(_ constraint: Value) {
        type = ObjectIdentifier(Value.self)
        if MemoryLayout<Value>.size == 0 {
            value = nil
        } else if let hashable = constraint as? any Hashable {
            value = AnyHashable(hashable)
        } else {
            return nil
        }
    }
}

/// The adapters of the constraints that are values, for the requests of one `Swifty`.
///
/// It holds none of them: the loads in flight do, and no later load misses a constraint without flights.
final class ValueConstraints: Sendable {
    private struct Entry {
        weak var adapter: AsyncConstraintAdapter?
    }

    private struct State {
        var entries: [ConstraintIdentity: Entry] = [:]
        /// The number of entries at which those without an adapter are removed.
        var limit = 16

        mutating func add(_ adapter: AsyncConstraintAdapter, as identity: ConstraintIdentity) {
            if entries.count >= limit {
                entries = entries.filter { $0.value.adapter != nil }
                limit = max(16, 2 * entries.count)
            }
            entries[identity] = Entry(adapter: adapter)
        }
    }

    private let state = Mutex(State())

    /// The number of constraints that are remembered.
    var count: Int { state.withLock { $0.entries.count } }

    /// The adapter of equal constraints; a new one if no load has it.
    func adapter(of constraint: any AsyncConstraint) -> AsyncConstraintAdapter {
        guard let identity = ConstraintIdentity(constraint) else { return AsyncConstraintAdapter(constraint) }
        return state.withLock { state in
            if let adapter = state.entries[identity]?.adapter { return adapter }
            let adapter = AsyncConstraintAdapter(constraint)
            state.add(adapter, as: identity)
            return adapter
        }
    }
}

extension Swifty.Hook {
    /// The name of a constraint that requests cannot share: this hook, or a member of this group; `nil` for none.
    var unidentifiableConstraint: String? {
        if let group = self as? any Swifty.HookGroup {
            for hook in group.hooks {
                if let name = hook.unidentifiableConstraint { return name }
            }
        }
        guard let constraint = self as? any AsyncConstraint, !(type(of: constraint) is AnyClass) else { return nil }
        return ConstraintIdentity(constraint) == nil ? constraint.constraintName : nil
    }
}
