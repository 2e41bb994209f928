// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How often each kind of event, each state, and each pair of adjacent stimuli occurred in the histories of a scenario.
public final class Coverage {
    private let eventNames: [String]
    private let stateNames: [String]
    private var events: [Int]
    private var states: [Int]
    /// For each stimulus, how often each event was the next stimulus.
    private var pairs: [Int]
    /// Which of the pairs there can be.
    private let isPossible: [Bool]

    /// Counts the events and the states of these types.
    public init<Event: EventName, State: EventName>(events: Event.Type, states: State.Type) {
        eventNames = Event.allCases.map { "\($0)" }
        stateNames = State.allCases.map { "\($0)" }
        self.events = Array(repeating: 0, count: eventNames.count)
        self.states = Array(repeating: 0, count: stateNames.count)
        pairs = Array(repeating: 0, count: eventNames.count * eventNames.count)
        isPossible = Event.allCases.flatMap { first in
            Event.allCases.map { first.isStimulus && $0.isStimulus && $0.canFollow(first) }
        }
    }

    func count(event: Int, after previous: Int?) {
        events[event] += 1
        if let previous { pairs[previous * events.count + event] += 1 }
    }

    func count(state: Int) {
        states[state] += 1
    }

    /// A table of the counts, in which what never occurred is marked.
    public var report: [String] {
        ["events:"] + Self.table(eventNames, events)
            + (stateNames.isEmpty ? [] : ["states:"] + Self.table(stateNames, states))
            + pairReport
    }

    private var pairReport: [String] {
        let possible = pairs.indices.filter { isPossible[$0] }
        let seen = possible.filter { pairs[$0] > 0 }
        let rarest = possible.map { pairs[$0] }.min() ?? 0
        let counts = "\(seen.count) of \(possible.count) occurred, each at least \(rarest) times"
        return ["pairs of adjacent stimuli: \(counts)"] + eventNames.indices.compactMap(line(ofPairsBeginningWith:))
    }

    private func line(ofPairsBeginningWith first: Int) -> String? {
        let row = first * events.count
        let absent = eventNames.indices.filter { isPossible[row + $0] && pairs[row + $0] == 0 }
        let names = absent.map { eventNames[$0] }.joined(separator: ", ")
        return absent.isEmpty ? nil : "  NEVER after \(eventNames[first]): \(names)"
    }

    private static func table(_ names: [String], _ counts: [Int]) -> [String] {
        let width = names.map(\.count).max() ?? 0
        return zip(names, counts).map { name, count in
            "  \(name)\(String(repeating: " ", count: width - name.count)) \(count)\(count == 0 ? "  NEVER" : "")"
        }
    }
}
