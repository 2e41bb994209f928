// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The segments of multipart content, read one after another.
final class MultipartSource: ContentSource {
    private struct State {
        /// The segment that is being produced.
        var index = 0
        /// The number of bytes of it that were produced.
        var count = 0
    }

    /// The number of bytes of all segments; `nil` if one has an unknown length.
    let length: Int?
    private let segments: [NetworkRequest.Content]
    private let state = Mutex(State())

    init(_ segments: [NetworkRequest.Content]) {
        self.segments = segments
        length = segments.reduce(0) { sum, segment in
            guard let sum, let length = segment.length else { return nil }
            let (total, hasOverflow) = sum.addingReportingOverflow(length)
            return hasOverflow ? nil : total
        }
    }

    /// Joins neighbouring segments in memory, up to a size limit.
    static func merge(_ segments: [NetworkRequest.Content], limit: Int) -> [NetworkRequest.Content] {
        var result: [NetworkRequest.Content] = []
        for segment in segments {
            if case .data(let next) = segment, case .data(let last)? = result.last,
                last.count + next.count <= limit
            {
                result[result.count - 1] = .data(last + next)
            } else {
                result.append(segment)
            }
        }
        return result
    }

    var isRewindable: Bool {
        sources.allSatisfy(\.isRewindable)
    }

    func next() async throws -> Data? {
        while true {
            let (index, count) = state.withLock { ($0.index, $0.count) }
            guard index < segments.count else { return nil }
            if let part = try await nextPart(of: segments[index], after: count) {
                state.withLock { $0.count += part.count }
                return part
            }
            try checkLength(segments[index], count)
            state.withLock { $0 = State(index: index + 1) }
        }
    }

    func rewind() async throws {
        let touched = segments.prefix(state.withLock { $0.index } + 1)
        for case .source(let source) in touched { try await source.rewind() }
        state.withLock { $0 = State() }
    }

    func replayed() -> (any ContentSource)? {
        var replayed: [NetworkRequest.Content] = []
        for segment in segments {
            guard case .source(let source) = segment else {
                replayed.append(segment)
                continue
            }
            guard let again = source.replayed() else { return nil }
            replayed.append(.source(again))
        }
        return MultipartSource(replayed)
    }

    func cancel() {
        for source in sources { source.cancel() }
    }

    private var sources: some Sequence<any ContentSource> {
        segments.lazy.compactMap { if case .source(let source) = $0 { source } else { nil } }
    }

    private func nextPart(of segment: NetworkRequest.Content, after count: Int) async throws -> Data? {
        switch segment {
        case .none: return nil
        case .data(let data): return count == 0 && !data.isEmpty ? data : nil
        case .source(let source):
            while let part = try await source.next() {
                if !part.isEmpty { return part }
            }
            return nil
        }
    }

    /// Without this check, a part that is too short and one that is too long could add up to the right total.
    private func checkLength(_ segment: NetworkRequest.Content, _ count: Int) throws(SwiftyError) {
        guard let length = segment.length, length != count else { return }
        throw SwiftyError(
            .contentUnreadable,
            stage: .send,
            sent: .maybeSent,
            reason: "a part of the multipart content has \(count) bytes, but \(length) were announced"
        )
    }
}
