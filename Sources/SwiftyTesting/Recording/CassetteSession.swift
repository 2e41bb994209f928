// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// The recording or the replay of one cassette.
final class CassetteSession: Sendable {
    /// What two requests must have in common to get the same answers.
    struct Key: Sendable {
        let method: String
        let url: String
        let content: String?
        private let value: JSONValue?

        init(_ request: HARRequest) {
            (method, url) = (request.method, request.url)
            let type = request.postData?.mimeType.lowercased() ?? ""
            // The boundaries of multipart content are random.
            content = type.hasPrefix("multipart/") ? nil : request.postData?.text
            value = type.contains("json") ? content.map { JSONValue(Data($0.utf8)) } : nil
        }

        /// Whether this is the key of an entry that answers a request. A secret that the entry does not have any more
        /// may have any value.
        func answers(_ request: Key) -> Bool {
            guard method == request.method, url.isSame(as: request.url) else { return false }
            if (content ?? "").isSame(as: request.content ?? "") { return true }
            guard let value, let requested = request.value else { return false }
            return value == requested
        }
    }

    private struct State {
        /// The entries of the file that were not replayed yet.
        var unplayed: [(key: Key, entry: HAREntry)]
        /// The entries that were recorded, with the order in which their requests began.
        var recorded: [(number: Int, entry: HAREntry)] = []
        var begun = 0
    }

    let path: String
    let redaction: CassetteRedaction
    /// Whether requests that the file does not have are sent.
    let records: Bool
    private let keepsEntries: Bool
    private let entries: [HAREntry]
    private let state: Mutex<State>

    /// - Parameter cassette: The file; `nil` if there is none.
    init(_ cassette: Cassette?, path: String, _ mode: RecordMode, _ redaction: CassetteRedaction) {
        self.path = path
        self.redaction = redaction
        records = mode == .all || mode == .new || mode == .once && cassette == nil
        keepsEntries = mode != .all
        entries = cassette?.entries ?? []
        let played = mode == .all ? [] : entries
        state = Mutex(State(unplayed: played.map { (Self.key(of: $0, redaction), $0) }))
    }

    /// What is compared of an entry: without its secrets, which other programs store.
    static func key(of entry: HAREntry, _ redaction: CassetteRedaction) -> Key {
        var redactor = EntryRedactor(redaction)
        return Key(redactor.redact(entry).request)
    }

    /// Takes the next recorded answer to a request; `nil` if there is none.
    func take(_ key: Key) -> HAREntry? {
        state.withLock { state in
            guard let index = state.unplayed.firstIndex(where: { $0.key.answers(key) }) else { return nil }
            return state.unplayed.remove(at: index).entry
        }
    }

    /// Begins to record an exchange.
    ///
    /// - Returns: Its number.
    func begin() -> Int {
        state.withLock { state in
            state.begun += 1
            return state.begun
        }
    }

    /// Adds an exchange.
    func record(_ entry: HAREntry, number: Int) {
        state.withLock { $0.recorded.append((number, entry)) }
    }

    /// Writes what was recorded, without its secrets.
    func finish() throws(SwiftyError) {
        let recorded = state.withLock { $0.recorded.sorted { $0.number < $1.number }.map(\.entry) }
        guard records, !recorded.isEmpty || !keepsEntries else { return }
        let all = EntryRedactor.redact(keepsEntries ? entries + recorded : recorded, redaction)
        try Cassette(path: path, entries: all).write()
    }

    /// The error of a request that the file does not have.
    ///
    /// - Parameter advice: What to do.
    func missing(
        _ key: Key,
        advice: String = "\(RecordMode.environmentVariable)=new records what is missing"
    ) -> SwiftyError {
        let all = entries.map { Self.key(of: $0, redaction) }
        let same = all.count { $0.answers(key) }
        var reason = "the cassette \(path) has no answer to \(key.method) \(key.url)"
        if same > 0 {
            reason = "the cassette \(path) has \(same) answers to \(key.method) \(key.url), which were all replayed"
        } else if let nearest = all.min(by: { $0.distance(from: key) < $1.distance(from: key) }) {
            reason += "; nearest: \(nearest.method) \(nearest.url)"
            if nearest.method == key.method, nearest.url.isSame(as: key.url) { reason += " with other content" }
        }
        return .mockUnavailable("\(reason); \(advice)")
    }
}

extension CassetteSession.Key {
    fileprivate func distance(from other: CassetteSession.Key) -> Int {
        url.editDistance(to: other.url) + (method == other.method ? 0 : 2)
    }
}

extension String {
    /// Whether another text is this one, with anything in place of `REDACTED`.
    fileprivate func isSame(as other: String) -> Bool {
        if self == other { return true }
        let parts = Array(utf8).split(separator: Array(Redaction.placeholder.utf8), omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return false }
        var rest = Array(other.utf8)[...]
        guard rest.starts(with: first), rest.dropFirst(first.count).suffix(last.count).elementsEqual(last) else {
            return false
        }
        rest = rest.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
