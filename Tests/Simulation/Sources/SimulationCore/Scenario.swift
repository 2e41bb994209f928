// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Something that the simulation plays: how histories are planned, and what a plan's history is.
public protocol Scenario {
    associatedtype History: Plan
    associatedtype Event: EventName
    associatedtype State: EventName

    /// The name for the command line.
    static var name: String { get }

    /// Draws up a history: all that the peers, the callers and the machine do.
    static func plan(_ random: inout SimulationRandom) -> History

    /// Plays a history to its end, and reports the invariants that it breaks.
    static func play(_ plan: History, in world: World)
}

/// What is to happen in a history, as a value: the same plan under the same seed is the same history.
public protocol Plan: Sendable {
    /// What is planned, one line for each thing.
    var story: [String] { get }

    /// Simpler plans: each with something left out, or a number made smaller. Those that leave out the most come first.
    var simplifications: [Self] { get }
}

// MARK: Making plans simpler

extension Plan {
    /// The plans in which a list is shorter: without its halves, its quarters, and so on to single elements.
    public func shortening<Element>(_ list: WritableKeyPath<Self, [Element]>) -> [Self] {
        let count = self[keyPath: list].count
        var result: [Self] = []
        var length = count
        while length > 0 {
            for start in stride(from: 0, to: count, by: length) {
                var plan = self
                plan[keyPath: list].removeSubrange(start..<min(start + length, count))
                result.append(plan)
            }
            length /= 2
        }
        return result
    }

    /// The plans in which one element of a list is simpler.
    public func simplifying<Element>(
        _ list: WritableKeyPath<Self, [Element]>,
        _ simpler: (Element) -> [Element]
    ) -> [Self] {
        self[keyPath: list].indices.flatMap { index in
            simpler(self[keyPath: list][index]).map { element in
                var plan = self
                plan[keyPath: list][index] = element
                return plan
            }
        }
    }
}

/// The values that are simpler than a value, with one of its parts simpler.
public func replacing<Value, Part>(
    _ value: Value,
    _ part: WritableKeyPath<Value, Part>,
    with simpler: [Part]
) -> [Value] {
    simpler.map { replacement in
        var copy = value
        copy[keyPath: part] = replacement
        return copy
    }
}

extension BinaryInteger {
    /// Numbers nearer to a target: the target itself, half the way, and the next one.
    public func simpler(towards target: Self = 0) -> [Self] {
        if self == target { return [] }
        let half = target + (self - target) / 2
        let next = self > target ? self - 1 : self + 1
        var result = [target]
        for number in [half, next] where !result.contains(number) && number != self { result.append(number) }
        return result
    }
}
