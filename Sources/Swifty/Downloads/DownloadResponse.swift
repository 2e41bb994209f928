// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The meaning of a response for a download (RFC 9110 §14, §15.3.7, §15.5.13, §15.5.17).
enum DownloadResponse: Sendable, Hashable {
    /// The response has the whole content, of this length; `nil` if it is unknown.
    case whole(total: Int?)
    /// The response has a range of the content that begins where the part file ends.
    case range(Range<Int>, total: Int)
    /// All bytes are on the disk.
    case complete
    /// The content has changed, or the server does not say enough: the download restarts.
    case changed
    /// The server sent another range than the one that was requested.
    case mismatch(reason: String)
    /// The response has no content, so that there is nothing to store.
    case empty
    /// The status is not one of a download.
    case refused
}

extension DownloadResponse {
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - point: The point from which the content was requested; `nil` if all of it was.
    ///   - asked: The ranges that the caller has asked for; `nil` if all of the content was.
    init(_ head: ResponseHead, to point: ResumePoint?, asked: RequestedRanges? = nil) {
        switch (head.statusCode, point) {
        case (206, let point?): self = Self.continuation(head, point)
        case (206, nil): self = Self.requested(head, asked)
        // The content of a 202 describes the state of a task, not its result (RFC 9110 §15.3.3).
        case (202, _): self = .refused
        case (204, _), (205, _): self = .empty
        // A 201 without content reports what was created; it is not an empty file.
        case (201, _) where head.contentLength == 0: self = .empty
        // An unknown status counts as 200 (RFC 9110 §15).
        case (200..<300, _): self = .whole(total: head.contentLength)
        case (416, let point?): self = Self.unsatisfiable(head, point)
        case (412, .some): self = .changed
        default: self = .refused
        }
    }

    /// The meaning of a response to ranges of the caller.
    private static func requested(_ head: ResponseHead, _ asked: RequestedRanges?) -> DownloadResponse {
        guard let asked else { return .mismatch(reason: "the request had no range") }
        // A shorter file would look like the one that was asked for.
        if let reason = asked.mismatch(head, mayBeShorter: false) { return .mismatch(reason: reason) }
        return .whole(total: ContentRange(head)?.bytes?.count ?? head.contentLength)
    }

    private static func continuation(_ head: ResponseHead, _ point: ResumePoint) -> DownloadResponse {
        guard point.validator.agrees(with: head) else { return .changed }
        guard let range = ContentRange(head), let bytes = range.bytes else {
            return .mismatch(reason: "the response has no valid Content-Range")
        }
        guard bytes.lowerBound == point.length else {
            return .mismatch(reason: "the response begins at byte \(bytes.lowerBound), not at \(point.length)")
        }
        if let announced = head.contentLength, announced != bytes.count {
            return .mismatch(reason: "the response has \(announced) bytes, and its range \(bytes.count)")
        }
        if let known = point.total, (range.total ?? known) != known || bytes.upperBound > known {
            return .mismatch(reason: "the range is one of \(range.total.map { "\($0)" } ?? "*") bytes, not of \(known)")
        }
        // Without a length, a shorter range cannot be distinguished from the last one.
        guard let total = range.total ?? point.total else { return .changed }
        return .range(bytes, total: total)
    }

    private static func unsatisfiable(_ head: ResponseHead, _ point: ResumePoint) -> DownloadResponse {
        guard point.validator.agrees(with: head), let range = ContentRange(head), range.bytes == nil,
            range.total == point.length, point.total ?? point.length == point.length
        else { return .changed }
        return .complete
    }
}
