// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// The loads in flight that an inspector records.
///
/// An inspector can be a hook of an instance and of a request. The tap that reports the beginning of a load first
/// reports all of it.
final class RunningLoads: Sendable {
    /// The events of a load that are kept; more would be an endless series of attempts.
    private static let maximumEvents = 200

    private struct Entry {
        /// `nil` for a load that is not recorded.
        let number: Int?
        let tap: ObjectIdentifier
        let start = ContinuousClock.now
        var events: [InspectedLoad.Event] = []
    }

    private let entries = Mutex<[UInt64: Entry]>([:])

    /// Adds a load, unless another tap has.
    ///
    /// - Parameter record: Records its beginning, and returns its number; `nil` if it is not recorded.
    func begin(_ load: Swifty.ObservedLoad, of tap: LoadTap, record: () -> Int?) {
        entries.withLock { entries in
            if entries[load.id] != nil { return }
            entries[load.id] = Entry(number: record(), tap: ObjectIdentifier(tap))
        }
    }

    /// Adds an event.
    ///
    /// - Returns: The number of the load, and the event; `nil` if it is not recorded.
    func add(
        _ text: String,
        to load: Swifty.ObservedLoad,
        of tap: LoadTap
    ) -> (number: Int, event: InspectedLoad.Event)? {
        entries.withLock { entries in
            guard let entry = entries[load.id], entry.tap == ObjectIdentifier(tap), let number = entry.number,
                entry.events.count < Self.maximumEvents
            else { return nil }
            let time = (ContinuousClock.now - entry.start).milliseconds
            let event = InspectedLoad.Event(time: time, text: text)
            entries[load.id]?.events.append(event)
            return (number, event)
        }
    }

    /// Removes a load that has ended.
    ///
    /// - Returns: The number of the load, and its events; `nil` if it is not recorded.
    func end(
        _ load: Swifty.ObservedLoad,
        of tap: LoadTap
    ) -> (number: Int, events: [InspectedLoad.Event])? {
        entries.withLock { entries in
            guard let entry = entries[load.id], entry.tap == ObjectIdentifier(tap) else { return nil }
            entries[load.id] = nil
            return entry.number.map { ($0, entry.events) }
        }
    }
}
