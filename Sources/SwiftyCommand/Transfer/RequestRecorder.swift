// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Keeps the last request of a load, for loads whose results do not contain it.
final class RequestRecorder: Swifty.Observer {
    private let last = Mutex<NetworkRequest?>(nil)

    var request: NetworkRequest? { last.withLock { $0 } }

    func observe(_ event: Swifty.Event, of _: Swifty.ObservedLoad) {
        if case .intercepted(let request) = event { last.withLock { $0 = request } }
    }
}
