// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Loads the missing ranges of the content at the same time, each by separate requests.
struct SegmentLoader: Sendable {
    /// The outcome of one or all ranges.
    struct Outcome: Sendable {
        /// The head and the measurements of the last response; `nil` without one.
        var head: ResponseHead?
        var metrics = LoadMetrics()
        var resumptions = 0
        /// The head of a response with other content, or with all of it; `nil` without one.
        var changed: ResponseHead?
        var failure: SwiftyError?

        /// Whether the other ranges are not needed.
        var endsAll: Bool { changed != nil || failure != nil }
    }

    let request: NetworkResource
    let options: DownloadOptions
    let function: StaticString
    let part: PartFile
    let validator: ContentValidator
    let total: Int
    let progress: SegmentProgress

    /// Loads all ranges. The first one that fails ends the others.
    ///
    /// - Parameter first: The response whose content begins with the first range.
    func load(_ gaps: [Range<Int>], first: ResponseStream?) async -> Outcome {
        await withTaskGroup(of: Outcome.self) { group in
            for index in gaps.indices where !gaps[index].isEmpty {
                group.addTask { await load(index, gaps[index], first: index == 0 ? first : nil) }
            }
            var all = Outcome()
            for await outcome in group {
                all.resumptions += outcome.resumptions
                if all.endsAll { continue }
                (all.changed, all.failure) = (outcome.changed, outcome.failure)
                if outcome.head != nil { (all.head, all.metrics) = (outcome.head, outcome.metrics) }
                if all.endsAll { group.cancelAll() }
            }
            return all
        }
    }

    /// Loads one range, with as many requests as it needs.
    private func load(_ index: Int, _ gap: Range<Int>, first: ResponseStream?) async -> Outcome {
        var (outcome, place, stream) = (Outcome(), gap.lowerBound, first)
        var resumption = Resumption(isAllowed: true, maximum: options.maximumResumptions)
        (resumption.hasBegun, resumption.furthest) = (true, gap.lowerBound)
        while place < gap.upperBound {
            do throws(SwiftyError) {
                let response = try await response(to: place..<gap.upperBound, stream)
                defer { response.cancel() }
                stream = nil
                let rest = place..<gap.upperBound
                guard let count = try accept(response.head, rest, isFirst: first === response) else {
                    outcome.changed = response.head
                    return outcome
                }
                (outcome.head, outcome.metrics) = (response.head, response.metrics)
                try await receive(response, index, count: count, &place)
            } catch {
                if error.code == .unacceptableStatus, [412, 416].contains(error.statusCode) {
                    outcome.changed = error.head
                    return outcome
                }
                guard error.isWorthResuming, !Task.isCancelled, let pause = resumption.pause(at: place) else {
                    outcome.failure = error
                    return outcome
                }
                try? await request.clock.sleep(for: pause)
            }
        }
        outcome.resumptions = resumption.count
        return outcome
    }

    private func response(to range: Range<Int>, _ stream: ResponseStream?) async throws(SwiftyError) -> ResponseStream {
        if let stream { return stream }
        let request = request.copy().modify { draft in
            draft.setHeader(.range, "bytes=\(range.lowerBound)-\(range.upperBound - 1)", replacing: true)
            draft.setHeader(.ifRange, validator.text, replacing: true)
        }
        return try await request.stream(in: function)
    }

    /// The number of bytes of the range that the response has; `nil` if the whole download must restart.
    private func accept(_ head: ResponseHead, _ range: Range<Int>, isFirst: Bool) throws(SwiftyError) -> Int? {
        if isFirst { return range.count }
        let point = ResumePoint(length: range.lowerBound, validator: validator, total: total)
        switch DownloadResponse(head, to: point) {
        case .part(let bytes, _):
            if bytes.upperBound <= range.upperBound { return bytes.count }
            throw failure(
                .rangeMismatch,
                "the response ends at byte \(bytes.upperBound), not at \(range.upperBound)",
                head
            )
        case .mismatch(let reason): throw failure(.rangeMismatch, reason, head)
        case .empty: throw failure(.emptyResponse, DownloadResponse.emptyReason(head), head)
        case .refused: throw failure(.unacceptableStatus, DownloadResponse.refusalReason(head), head)
        case .whole, .changed, .complete: return nil
        }
    }

    /// Writes the content at its offset as it arrives.
    ///
    /// - Parameter count: The number of bytes that must arrive; what follows is not read.
    private func receive(
        _ stream: ResponseStream,
        _ index: Int,
        count: Int,
        _ place: inout Int
    ) async throws(SwiftyError) {
        let file = part
        var writing = ContentWriting(file, options) { parts in
            file.start { (writer) throws(FileFailure) in try writer.fill(gap: index, parts) }
        }
        var rest = count
        do throws(SwiftyError) {
            while rest > 0 {
                guard let bytes = try await stream.next() else {
                    throw failure(.malformedResponse, "the response ends \(rest) bytes before its range", stream.head)
                }
                let part = bytes.prefix(rest)
                rest -= part.count
                try await writing.append(part)
                progress.add(part.count)
            }
        } catch {
            if !error.isOfFile { try await finish(&writing, &place) }
            throw error
        }
        try await finish(&writing, &place)
    }

    private func finish(_ writing: inout ContentWriting, _ place: inout Int) async throws(SwiftyError) {
        place += try await writing.finish()
    }

    private func failure(_ code: SwiftyError.Code, _ reason: String, _ head: ResponseHead) -> SwiftyError {
        var error = SwiftyError(code, stage: .body, sent: .responded, reason: reason)
        error.request = request.draft.summary
        return error.withResponse(head, body: nil)
    }
}
