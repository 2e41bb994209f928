// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// The recording or the replay of one cassette.
final class CassetteSession: Sendable {
    /// What two requests must have in common to get the same answers.
    struct Key: Sendable, Equatable {
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

        static func == (one: Key, other: Key) -> Bool {
            guard one.method == other.method, one.url == other.url else { return false }
            if one.content ?? "" == other.content ?? "" { return true }
            guard let value = one.value, let otherValue = other.value else { return false }
            return value == otherValue
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
            guard let index = state.unplayed.firstIndex(where: { $0.key == key }) else { return nil }
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

    /// Adds an exchange, without its secrets.
    func record(_ entry: HAREntry, number: Int) {
        var redactor = EntryRedactor(redaction)
        let entry = redactor.redact(entry)
        state.withLock { $0.recorded.append((number, entry)) }
    }

    /// Writes what was recorded.
    func finish() throws(SwiftyError) {
        let recorded = state.withLock { $0.recorded.sorted { $0.number < $1.number }.map(\.entry) }
        guard records, !recorded.isEmpty || !keepsEntries else { return }
        try Cassette(path: path, entries: keepsEntries ? entries + recorded : recorded).write()
    }

    /// The error of a request that the file does not have.
    ///
    /// - Parameter advice: What to do.
    func missing(
        _ key: Key,
        advice: String = "\(RecordMode.environmentVariable)=new records what is missing"
    ) -> SwiftyError {
        let all = entries.map { Self.key(of: $0, redaction) }
        let same = all.count { $0 == key }
        var reason = "the cassette \(path) has no answer to \(key.method) \(key.url)"
        if same > 0 {
            reason = "the cassette \(path) has \(same) answers to \(key.method) \(key.url), which were all replayed"
        } else if let nearest = all.min(by: { $0.distance(from: key) < $1.distance(from: key) }) {
            reason += "; nearest: \(nearest.method) \(nearest.url)"
            if nearest.method == key.method, nearest.url == key.url { reason += " with other content" }
        }
        return .mockUnavailable("\(reason); \(advice)")
    }
}

extension CassetteSession.Key {
    fileprivate func distance(from other: CassetteSession.Key) -> Int {
        url.editDistance(to: other.url) + (method == other.method ? 0 : 2)
    }
}
