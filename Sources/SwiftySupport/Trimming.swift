// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension BidirectionalCollection<UInt8> {
    /// The bytes without the spaces and tabs at both ends (`OWS`, RFC 9110 §5.6.3).
    @inlinable package func trimmingSpacesAndTabs() -> SubSequence {
        trimming { $0.isSpaceOrTab }
    }

    /// The bytes without the spaces, tabs, CRs and LFs at both ends.
    @inlinable package func trimmingSpacesTabsAndLineEnds() -> SubSequence {
        trimming { $0.isSpaceTabOrLineEnd }
    }
}

extension BidirectionalCollection {
    /// The elements without those at both ends that belong to a set.
    @inlinable package func trimming(_ isTrimmed: (Element) -> Bool) -> SubSequence {
        var (start, end) = (startIndex, endIndex)
        while start < end, isTrimmed(self[start]) { formIndex(after: &start) }
        while start < end {
            let last = index(before: end)
            guard isTrimmed(self[last]) else { break }
            end = last
        }
        return self[start..<end]
    }
}

extension Collection<UInt8> {
    /// The bytes without the byte order mark of UTF-8 at their beginning, which some programs write.
    package var withoutByteOrderMark: SubSequence {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without the spaces and tabs at both ends (`OWS`, RFC 9110 §5.6.3).
    package func trimmingSpacesAndTabs() -> Substring {
        Substring(self[...].utf8.trimmingSpacesAndTabs())
    }
}
