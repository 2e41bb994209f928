// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The part of a content that is on the disk, when the rest of it is requested.
struct ResumePoint: Sendable, Hashable {
    /// The number of bytes.
    let length: Int
    let validator: ContentValidator
    /// The number of bytes of the whole content; `nil` if it is unknown.
    let total: Int?
}

/// The meaning of a response for a download (RFC 9110 §14, §15.3.7, §15.5.13, §15.5.17).
enum DownloadResponse: Sendable, Hashable {
    /// The response has the whole content, of this length; `nil` if it is unknown.
    case whole(total: Int?)
    /// The response has the next bytes of the content.
    case part(Range<Int>, total: Int)
    /// All bytes are on the disk.
    case complete
    /// The content has changed, or the server does not say enough: the download begins anew.
    case changed
    /// The server sent another part than the one that was requested.
    case mismatch(reason: String)
    /// The status is not one of a download.
    case refused
}

extension DownloadResponse {
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - point: The place from which the content was requested; `nil` if all of it was.
    ///   - isRangeOfCaller: Whether the caller has asked for a range of its own.
    init(_ head: ResponseHead, to point: ResumePoint?, isRangeOfCaller: Bool = false) {
        switch (head.statusCode, point) {
        case (206, let point?): self = Self.part(head, point)
        case (206, nil):
            self = isRangeOfCaller ? .whole(total: head.contentLength) : .mismatch(reason: "the request had no range")
        case (200..<300, _): self = .whole(total: head.contentLength)
        case (416, let point?): self = Self.unsatisfiable(head, point)
        case (412, .some): self = .changed
        default: self = .refused
        }
    }

    private static func part(_ head: ResponseHead, _ point: ResumePoint) -> DownloadResponse {
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
        // Without a length, a shorter part cannot be told from the last one.
        guard let total = range.total ?? point.total else { return .changed }
        return .part(bytes, total: total)
    }

    private static func unsatisfiable(_ head: ResponseHead, _ point: ResumePoint) -> DownloadResponse {
        guard point.validator.agrees(with: head), let range = ContentRange(head), range.bytes == nil,
            range.total == point.length, point.total ?? point.length == point.length
        else { return .changed }
        return .complete
    }
}

extension ResponseHead {
    /// The number of bytes that `Content-Length` announces; `nil` without a valid one.
    var contentLength: Int? {
        let values = headers[values: .contentLength]
        guard let value = values.first, value.utf8.count <= 18, value.utf8.isDecimal else { return nil }
        return Int(value)
    }
}
