// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

/// The options of the program `simulate`.
public struct RunnerOptions: Sendable {
    /// The seed, from which the seed of each history is derived.
    public var seed = simulation_system_random() >> 1
    /// The time after which no further history begins; `nil` without a limit.
    public var seconds: Double?
    /// The number of histories; `nil` without a limit.
    public var historyLimit: Int?
    /// The one history to play.
    public var history: UInt64?
    /// The only scenario; `nil` for all, in turn.
    public var only: String?
    /// Whether the coverage is printed.
    public var isReporting = false
    /// Whether each history is printed.
    public var isTracing = false
    /// Whether the first finding ends the run.
    public var stopsAtFinding = false
    /// Whether the history of a finding is made minimal.
    public var isShrinking = true

    /// Reads the arguments, without the program's name. Returns `nil` if they are wrong.
    public init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard takeFlag(name) || takeOption(name, rest.popFirst()) else { return nil }
        }
        if seconds == nil, historyLimit == nil, history == nil { seconds = 10 }
    }

    /// How the program is called.
    public static let usage = """
        Usage: Scripts/simulate [--seconds N] [--seed S] [--histories N] [--only SCENARIO]
                                [--report] [--trace] [--history I] [--stop] [--no-shrink]
        """

    private mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--report": isReporting = true
        case "--trace": isTracing = true
        case "--stop": stopsAtFinding = true
        case "--no-shrink": isShrinking = false
        default: return false
        }
        return true
    }

    private mutating func takeOption(_ name: String, _ text: String?) -> Bool {
        guard let text else { return false }
        switch name {
        case "--seed": return Self.set(&seed, UInt64(text))
        case "--seconds": return Self.set(&seconds, Double(text))
        case "--histories": return Self.set(&historyLimit, Int(text))
        case "--history": return Self.set(&history, UInt64(text))
        case "--only":
            only = text
            return true
        default: return false
        }
    }

    private static func set<Value>(_ place: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func set<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        place = value
        return value != nil
    }
}
