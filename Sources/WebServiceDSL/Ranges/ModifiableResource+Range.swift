// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Asks for a part of the content (RFC 9110 §14.1.2): `.range(0..<100)` for its first 100 bytes.
    ///
    /// A server that supports it answers with status 206 and `Content-Range`, another one with 200 and the whole
    /// content. A 206 with other bytes, or without saying which, fails with ``SwiftyError/Code/rangeMismatch``; fewer
    /// bytes from the same offset are accepted (RFC 9110 §15.3.7), except by a download. An empty range, or one that
    /// begins below zero, fails the load with ``SwiftyError/Code/invalidHeader``.
    @discardableResult
    public func range(_ bytes: Range<Int>) -> Self {
        modify { $0.setRanges([bytes]) }
    }

    /// Asks for the content from a byte on; see ``range(_:)``.
    @discardableResult
    public func range(from start: Int) -> Self {
        modify { draft in
            guard start >= 0 else { return draft.fail(.invalidHeader, "a range cannot begin at byte \(start)") }
            draft.setHeader(.range, "bytes=\(start)-", replacing: true)
        }
    }

    /// Asks for the last bytes of the content; see ``range(_:)``.
    @discardableResult
    public func range(last count: Int) -> Self {
        modify { draft in
            guard count > 0 else { return draft.fail(.invalidHeader, "a range cannot have \(count) bytes") }
            draft.setHeader(.range, "bytes=-\(count)", replacing: true)
        }
    }
}

extension RequestDraft {
    /// The largest number of ranges in one request; servers refuse many (RFC 9110 §17.15).
    private static let maximumRanges = 100

    mutating func setRanges(_ ranges: [Range<Int>]) {
        guard !ranges.isEmpty, ranges.count <= Self.maximumRanges else {
            return fail(.invalidHeader, "a request has 1 to \(Self.maximumRanges) ranges, not \(ranges.count)")
        }
        if let invalid = ranges.first(where: { $0.isEmpty || $0.lowerBound < 0 }) {
            return fail(.invalidHeader, "the range \(invalid) is empty or begins below zero")
        }
        let specifications = ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
        setHeader(.range, "bytes=\(specifications)", replacing: true)
    }
}
