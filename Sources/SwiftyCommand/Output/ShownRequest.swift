// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

extension NetworkRequest {
    /// The largest content that is read again to be shown.
    private static let shownByteCount = 1 << 20

    /// The request with its content in memory, if that is small and can be read again.
    func withShownContent() async -> NetworkRequest {
        guard case .source(let source) = content, let length = source.length, length <= Self.shownByteCount,
            // Showing the content takes no time, whatever the rate at which it is sent.
            let copy = ((source as? PacedSource)?.source ?? source).replayed()
        else { return self }
        var request = self
        request.content = .source(copy)
        return (try? await request.collectingContent()) ?? self
    }
}
