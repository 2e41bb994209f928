// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import SwiftySupport
import Synchronization

/// A cache of bounded size without a common lock, for what all loads look up: a key has one slot, and what is in it
/// before is forgotten. A value that was forgotten is made once more.
final class SlotCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Slot: Sendable {
        let entry = Mutex<(key: Key, value: Value)?>(nil)
    }

    private let slots: [Slot]

    /// - Parameter count: The number of slots, a power of two.
    init(count: Int) {
        slots = (0..<count).map { _ in Slot() }
    }

    /// The value of a key; `nil` if it was never stored, or was forgotten.
    subscript(key: Key) -> Value? {
        get { slot(of: key).entry.withLock { $0.flatMap { $0.key == key ? $0.value : nil } } }
        set { slot(of: key).entry.withLock { $0 = newValue.map { (key, $0) } } }
    }

    /// The value of a key; made by the closure, outside of any lock, if it is not there.
    func value(_ key: Key, make: () -> Value) -> Value {
        if let known = self[key] { return known }
        let value = make()
        self[key] = value
        return value
    }

    /// Hashed outside of the lock, which is then held for a comparison.
    private func slot(of key: Key) -> Slot { slots[key.hashValue & (slots.count - 1)] }
}
#endif
