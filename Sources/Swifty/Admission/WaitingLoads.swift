// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The loads that wait for one host, ordered by priority.
struct WaitingLoads {
    /// The load that goes next.
    struct Candidate: Equatable {
        let number: Int
        /// The priority at which it goes; higher than its own if it overtakes because of its age.
        let priority: NetworkRequest.Priority
        let waited: Duration
    }

    private struct Member {
        var priority: NetworkRequest.Priority
        let since: Duration
        /// The place of its entry. A load that returns to a line has an earlier entry there, which is a gap.
        var place: Int
    }

    private var members: [Int: Member] = [:]
    private var lastPlace = 0
    /// One line per priority; empty until a load waits.
    private var lines: [WaitingLine] = []

    var isEmpty: Bool { members.isEmpty }
    var count: Int { members.count }
    var numbers: some Collection<Int> { members.keys }

    mutating func append(_ number: Int, _ priority: NetworkRequest.Priority, since: Duration) {
        if lines.isEmpty { lines = Array(repeating: WaitingLine(), count: NetworkRequest.Priority.allCases.count) }
        lastPlace += 1
        members[number] = Member(priority: priority, since: since, place: lastPlace)
        lines[priority.rawValue].append(WaitingLine.Entry(number: number, place: lastPlace, since: since))
    }

    /// Removes a load that will not be sent.
    mutating func remove(_ number: Int) {
        guard let member = members.removeValue(forKey: number) else { return }
        leaveLine(member.priority)
    }

    /// Moves a load to the end of another line, with its age.
    mutating func move(_ number: Int, to priority: NetworkRequest.Priority) {
        guard let member = members[number], member.priority != priority else { return }
        append(number, priority, since: member.since)
        leaveLine(member.priority)
    }

    /// The load that goes next: the first of the highest priority, unless a lower one overtakes it by ``AgeingRule``.
    mutating func next(from minimum: NetworkRequest.Priority, now: Duration) -> Candidate? {
        if isEmpty { return nil }
        var best: Candidate?
        for priority in NetworkRequest.Priority.allCases.reversed() where priority >= minimum {
            guard let entry = first(priority) else { continue }
            let waited = now - entry.since
            guard let leader = best else {
                best = Candidate(number: entry.number, priority: priority, waited: waited)
                continue
            }
            let passedOver = lines[priority.rawValue].passedOver
            if AgeingRule.isDue(passedOver: passedOver, waited: waited, overtaking: leader.waited) {
                return Candidate(number: entry.number, priority: leader.priority, waited: waited)
            }
        }
        return best
    }

    /// Removes a load that is sent, and counts a lost turn for the lines of lower priority.
    mutating func take(_ number: Int) {
        guard let member = members.removeValue(forKey: number) else { return }
        for lower in 0..<member.priority.rawValue where lines[lower].count > 0 { lines[lower].passedOver += 1 }
        lines[member.priority.rawValue].passedOver = 0
        leaveLine(member.priority)
    }

    private mutating func first(_ priority: NetworkRequest.Priority) -> WaitingLine.Entry? {
        let line = priority.rawValue
        if lines[line].count == 0 { return nil }
        return lines[line].first { members[$0.number]?.place == $0.place }
    }

    private mutating func leaveLine(_ priority: NetworkRequest.Priority) {
        lines[priority.rawValue].leave { members[$0.number]?.place == $0.place }
    }
}

/// Loads of one priority that wait for one host, in order of arrival.
///
/// A load that leaves early remains in the array as a gap, which is skipped later. The array is compacted before the
/// gaps outnumber the loads by more than 32.
struct WaitingLine {
    struct Entry {
        let number: Int
        let place: Int
        let since: Duration
    }

    /// The number of loads of higher priority that were sent since this line moved.
    var passedOver = 0
    private(set) var count = 0
    private var entries: [Entry] = []
    private var head = 0

    mutating func append(_ entry: Entry) {
        if count == 0 { self = WaitingLine() }
        entries.append(entry)
        count += 1
    }

    /// The first load that is still waiting.
    mutating func first(_ isWaiting: (Entry) -> Bool) -> Entry? {
        while head < entries.count {
            if isWaiting(entries[head]) { return entries[head] }
            head += 1
        }
        return nil
    }

    /// Counts the departure of a load, from any place in the line.
    mutating func leave(_ isWaiting: (Entry) -> Bool) {
        count -= 1
        guard entries.count > 2 * count + 32 else { return }
        entries = entries[head...].filter(isWaiting)
        head = 0
    }
}

/// The rule that keeps low priorities from starving.
///
/// A load that was passed over nine times, and has waited more than twice as long as the one whose turn it would be,
/// goes first. So a waiting load has either lost at most nine turns since its line moved, or has waited at most twice
/// as long as the most urgent one. Loads between the two priorities do not count: they may have waited for longer.
enum AgeingRule {
    static let patience = 9

    static func isDue(passedOver: Int, waited: Duration, overtaking other: Duration) -> Bool {
        passedOver >= patience && waited > other * 2
    }
}
