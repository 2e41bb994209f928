// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty
import Synchronization

/// A transport that several instances use, one after the other, and that ends with the last of them.
final class Carrier: Sendable {
    let transport: any Transport
    private let users = Mutex(0)

    init(_ transport: any Transport) {
        self.transport = transport
    }

    /// Adds a user. The transport must have one already, or be new.
    func retain() {
        users.withLock { $0 += 1 }
    }

    /// Removes a user, and shuts the transport down if it was the last one.
    func release() async {
        let isLast = users.withLock { users in
            users -= 1
            return users == 0
        }
        if isLast { await transport.shutdown() }
    }
}
#endif
