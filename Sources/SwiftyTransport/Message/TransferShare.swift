// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the load of a request with which other requests it shared its transfer.
package final class TransferShare: Sendable {
    private let state = Mutex<(any AnyObject & Sendable)?>(nil)

    package init() {}

    /// The shared transfer, an object of the transport; `nil` if the request shared none, or left before its end.
    package var transfer: (any AnyObject & Sendable)? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
