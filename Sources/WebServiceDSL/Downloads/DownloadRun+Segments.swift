// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension DownloadRun {
    /// The largest number of segments; servers refuse many connections.
    private static let maximumSegments = 16

    /// Splits content that has just begun to arrive, if it is to be loaded in segments.
    func split(_ head: ResponseHead, _ total: Int?) async throws(SwiftyError) -> Bool {
        let count = min(options.segments, Self.maximumSegments)
        guard count > 1, resumption.isAllowed, resumption.allowsSegments, let total,
            total / count >= max(options.minimumSegment, 1), ContentValidator(head) != nil,
            head.headers[.acceptRanges]?.lowercased() != "none"
        else { return false }
        try await part.use { $0.split(total, into: count) }
        return true
    }

    /// Loads all segments at the same time.
    ///
    /// - Parameter first: The response whose content begins with the first segment; `nil` if all segments are to be
    ///   requested.
    /// - Returns: The file; `nil` if the content has to be loaded as a whole.
    mutating func loadSegments(_ first: ResponseStream?) async throws(SwiftyError) -> DownloadedFile? {
        resumption.hasBegun = true
        let folder = part.target.folder
        let (gaps, record, received) = try await part.use { (writer) throws(FileFailure) in
            // Segments of an earlier call are continued without a first request, after which the space is otherwise
            // checked.
            try writer.checkSpace(in: folder)
            return (writer.gaps ?? [], writer.record, writer.receivedCount)
        }
        guard let validator = record.validator, let total = record.total else { return nil }
        let progress = SegmentProgress(resource.draft, received: received, total: total)
        // The observers of the first request would take its progress for that of all segments.
        if !progress.isEmpty { first?.cancel() }
        let loader = SegmentLoader(
            request: resource.forDownload().modify { $0.changeTransfer { $0.progressObservers = [] } },
            options: options,
            function: function,
            part: part,
            validator: validator,
            total: total,
            progress: progress
        )
        let outcome = await loader.load(gaps, first: progress.isEmpty ? first : nil)
        resumption.count += outcome.resumptions
        if let head = outcome.changed {
            resumption.allowsSegments = false
            try await startAnew(head)
            return nil
        }
        if let failure = outcome.failure { throw failure }
        try await part.use { (writer) throws(FileFailure) in try writer.join() }
        let head = first?.head ?? outcome.head ?? ResponseHead(statusCode: 206)
        return try await finish(head, first?.metrics ?? outcome.metrics)
    }
}
