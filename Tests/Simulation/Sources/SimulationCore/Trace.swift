// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The events of a history: all of them in a digest, each counted, and as lines for a reader if there is one.
public final class Trace {
    /// How often what has happened, in all histories.
    public let coverage: Coverage
    /// The lines for a reader.
    public private(set) var lines: [String] = []
    /// Whether there is a reader.
    public let isRead: Bool
    private var hash = StableHash()
    private var previousStimulus: Int?

    /// Makes an empty trace.
    public init(coverage: Coverage, isRead: Bool = false) {
        self.coverage = coverage
        self.isRead = isRead
    }

    /// A number that all events, with their times and order, have determined.
    public var digest: UInt64 { hash.value }

    func add(_ event: some EventName, _ subject: Int, _ value: Int, at time: Int64, _ text: () -> String) {
        hash.add(event.rawValue)
        hash.add(subject)
        hash.add(value)
        hash.add(Int(time))
        coverage.count(event: event.rawValue, after: event.isStimulus ? previousStimulus : nil)
        if event.isStimulus { previousStimulus = event.rawValue }
        add(at: time, text)
    }

    func add(at time: Int64, _ text: () -> String) {
        if isRead { lines.append("\(Milliseconds(time)) \(text())") }
    }

    func add(_ number: UInt64) {
        hash.add(Int(truncatingIfNeeded: number))
    }
}

/// The names of what can happen, or of the states of machines: an enumeration with numbers from zero.
public protocol EventName: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    /// Whether it comes from outside of what is tested: from a server, a caller, the system. Others follow from these.
    var isStimulus: Bool { get }

    /// Whether it can be the next stimulus after another one.
    func canFollow(_ previous: Self) -> Bool
}

extension EventName {
    /// All are, unless a type says otherwise.
    public var isStimulus: Bool { true }

    /// All can, unless a type says otherwise.
    public func canFollow(_ previous: Self) -> Bool { true }
}

/// A hash in the manner of FNV-1a, which gives the same in every process.
public struct StableHash: Sendable {
    /// The hash of what was added.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Makes the hash of nothing.
    public init() {}

    /// Adds a number.
    public mutating func add(_ number: Int) {
        // One step instead of eight: every event pays for it.
        let number = UInt64(bitPattern: Int64(number))
        value = (value ^ number) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }

    /// Adds bytes.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

/// A time in milliseconds, as a reader sees it.
public struct Milliseconds: CustomStringConvertible, Sendable {
    private let nanoseconds: Int64

    /// Takes nanoseconds.
    public init(_ nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The milliseconds, with as many digits as are needed.
    public var description: String {
        let thousandths = (nanoseconds / 1_000) % 1_000
        let fraction = thousandths == 0 ? "" : ".\(String(thousandths + 1_000).dropFirst())"
        let text = "\(nanoseconds / 1_000_000)\(fraction)"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text + " ms"
    }
}
