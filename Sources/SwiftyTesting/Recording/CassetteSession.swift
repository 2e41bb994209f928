// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// The recording or the replay of one cassette.
final class CassetteSession: Sendable {
    private struct State {
        /// The entries of the file that have not been replayed yet.
        var unplayed: [(key: Key, entry: HAREntry)]
        /// The entries that were recorded, with the order in which their requests began.
        var recorded: [(number: Int, entry: HAREntry)] = []
        var begun = 0
    }

    let path: String
    let redaction: CassetteRedaction
    /// Whether requests that are not in the file are sent.
    let records: Bool
    private let keepsEntries: Bool
    private let exists: Bool
    private let entries: [HAREntry]
    /// What was left out of the file; `nil` if nothing was.
    private let skippingNote: String?
    private let state: Mutex<State>
    /// What is known of the secrets of stored requests.
    private let secrets: RequestSecrets?

    /// - Parameters:
    ///   - cassette: The file; `nil` if it does not exist.
    ///   - secrets: What the service says about its secrets; `nil` if it says nothing.
    init(
        _ cassette: Cassette?,
        path: String,
        mode: RecordMode,
        redaction: CassetteRedaction,
        secrets: RequestSecrets? = nil
    ) {
        self.secrets = secrets
        self.path = path
        self.redaction = redaction
        records = mode == .all || mode == .new || mode == .once && cassette == nil
        keepsEntries = mode != .all
        exists = cassette != nil
        entries = cassette?.entries ?? []
        skippingNote = cassette?.skippingNote
        let played = mode == .all ? [] : entries
        state = Mutex(State(unplayed: played.map { (Key($0.request, redaction: redaction, secrets: secrets), $0) }))
    }

    func key(of request: NetworkRequest) -> Key {
        Key(HARRequest(request), redaction: redaction, secrets: request.secrets)
    }

    func key(of request: HARRequest) -> Key { Key(request, redaction: redaction, secrets: secrets) }

    /// Removes and returns the next recorded answer to a request; `nil` if there is none.
    func take(_ key: Key) -> HAREntry? {
        state.withLock { state in
            let same =
                state.unplayed.firstIndex { $0.key.isWritten(like: key) }
                ?? state.unplayed.firstIndex { $0.key.isSame(as: key) }
            guard let index = same ?? state.unplayed.firstIndex(where: { $0.key.mayBe(key) }) else { return nil }
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
    ///
    /// A cancelled task has recorded only a part, and writes nothing.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if requests were sent for a new file, but nothing could be
    ///   recorded; ``SwiftyError/Code/fileUnwritable`` or ``SwiftyError/Code/diskFull``.
    func finish() throws(SwiftyError) {
        let (recorded, sent) = state.withLock { state in
            (state.recorded.sorted { $0.number < $1.number }.map(\.entry), state.begun)
        }
        guard records, sent > 0, !Task.isCancelled else { return }
        if recorded.isEmpty {
            if exists && keepsEntries { return }
            throw .mockUnavailable(
                "nothing was recorded for the cassette \(path): no response was read to its end"
                    + (exists ? "; the file stays as it was" : "")
            )
        }
        let all = EntryRedactor.redact(keepsEntries ? entries + recorded : recorded, redaction)
        try Cassette(path: path, entries: all).write()
    }

    /// The error of a request that is not in the file.
    ///
    /// - Parameter advice: What to do.
    func missing(
        _ key: Key,
        advice: String = "\(RecordMode.environmentVariable)=new records what is missing"
    ) -> SwiftyError {
        let all = entries.map { self.key(of: $0.request) }
        let same = all.count { $0.mayBe(key) }
        var reason = "the cassette \(path) has no answer to \(key.method) \(key.url)"
        if same > 0 {
            let facts = same == 1 ? "one answer to" : "\(same) answers to"
            let fate = same == 1 ? "which was replayed" : "which were all replayed"
            reason = "the cassette \(path) has \(facts) \(key.method) \(key.url), \(fate)"
        } else if !exists {
            return .mockUnavailable(
                "there is no cassette \(path) with an answer to \(key.method) \(key.url); "
                    + "\(RecordMode.environmentVariable)=once records it"
            )
        } else if let nearest = all.min(by: { $0.distance(from: key) < $1.distance(from: key) }) {
            reason += "; nearest: \(nearest.method) \(nearest.url)"
            if nearest.hasTarget(of: key) { reason += " with other content" }
        }
        if let skippingNote { reason += "; \(skippingNote)" }
        return .mockUnavailable("\(reason); \(advice)")
    }
}
