// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The moment at which a load has sent a request.
package protocol TransferStart: Sendable {
    /// Whether the load could still use a response that was requested then.
    var isCurrent: Bool { get }
}

/// Tells the load of a request with which other requests it shared its transfer.
package final class TransferShare: Sendable {
    private let state = Mutex<(any AnyObject & Sendable)?>(nil)

    /// When the request is sent; `nil` if its response may be used at any time.
    package let start: (any TransferStart)?

    package init(since start: (any TransferStart)? = nil) {
        self.start = start
    }

    /// The shared transfer, an object of the transport; `nil` if the request shared none, or left before its end.
    package var transfer: (any AnyObject & Sendable)? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
