// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The record of what a `RawServer` has read, shared by the threads of its connections.
final class RawRequestLog: Sendable {
    private let contents = Mutex<[RawRequest]>([])

    var requests: [RawRequest] { contents.withLock { $0 } }

    /// Adds a request and returns its place.
    func append(_ request: RawRequest) -> Int {
        contents.withLock {
            $0.append(request)
            return $0.count - 1
        }
    }

    /// Puts a request, whose body has been read meanwhile, in its place.
    func update(_ request: RawRequest, at place: Int) {
        contents.withLock { $0[place] = request }
    }
}
