// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How often each kind of event, each state, and each pair of adjacent events occurred in the histories of a scenario.
public final class Coverage {
    private let eventNames: [String]
    private let stateNames: [String]
    private var events: [Int]
    private var states: [Int]
    private var pairs: [Int]

    /// Counts the events and the states of these types.
    public init<Event: EventName, State: EventName>(events: Event.Type, states: State.Type) {
        eventNames = Event.allCases.map { "\($0)" }
        stateNames = State.allCases.map { "\($0)" }
        self.events = Array(repeating: 0, count: eventNames.count)
        self.states = Array(repeating: 0, count: stateNames.count)
        pairs = Array(repeating: 0, count: eventNames.count * eventNames.count)
    }

    func count(event: Int, after previous: Int?) {
        events[event] += 1
        if let previous { pairs[previous * events.count + event] += 1 }
    }

    func count(state: Int) {
        states[state] += 1
    }

    /// The events and states that never occurred.
    public var missing: [String] {
        eventNames.indices.filter { events[$0] == 0 }.map { "the event \(eventNames[$0])" }
            + stateNames.indices.filter { states[$0] == 0 }.map { "the state \(stateNames[$0])" }
    }

    /// A table of the counts.
    public var report: [String] {
        let seen = pairs.count { $0 > 0 }
        return ["events:"] + Self.table(eventNames, events)
            + (stateNames.isEmpty ? [] : ["states:"] + Self.table(stateNames, states))
            + ["pairs of adjacent events: \(seen) of \(pairs.count) occurred"]
            + eventNames.indices.compactMap(line(ofPairsBeginningWith:))
    }

    private func line(ofPairsBeginningWith first: Int) -> String? {
        let row = pairs[first * events.count..<(first + 1) * events.count]
        let absent = zip(eventNames, row).filter { $0.1 == 0 }.map(\.0)
        return absent.isEmpty ? nil : "  never after \(eventNames[first]): \(absent.joined(separator: ", "))"
    }

    private static func table(_ names: [String], _ counts: [Int]) -> [String] {
        let width = names.map(\.count).max() ?? 0
        return zip(names, counts).map { name, count in
            "  \(name)\(String(repeating: " ", count: width - name.count)) \(count)\(count == 0 ? "  NEVER" : "")"
        }
    }
}
