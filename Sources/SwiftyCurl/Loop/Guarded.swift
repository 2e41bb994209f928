// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// A value behind a lock whose effect the thread sanitizer sees.
final class Guarded<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let place = Unmanaged.passUnretained(self).toOpaque()
        return mutex.withLock { value in
            ccurl_observe(place)
            defer { ccurl_publish(place) }
            return body(&value)
        }
    }
}
