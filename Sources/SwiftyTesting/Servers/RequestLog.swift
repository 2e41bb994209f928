// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a `LoopbackServer` has received, in the order of arrival.
///
/// A request enters the log when its body is complete, before it is answered: what a client has an answer to is in the
/// log. Safe to use from any thread.
public final class RequestLog: Sendable {
    private let contents = Mutex<[RecordedRequest]>([])

    init() {}

    /// All requests.
    public var requests: [RecordedRequest] { contents.withLock { $0 } }

    /// How many requests there are.
    public var count: Int { contents.withLock { $0.count } }

    /// The request that came last.
    public var last: RecordedRequest? { contents.withLock { $0.last } }

    /// How many connections the requests came over.
    public var connectionCount: Int { Set(requests.map(\.connection)).count }

    /// How many requests there are to a path, which is compared as it was sent, without the query.
    public func count(path: String) -> Int { requests(path: path).count }

    /// The requests to a path, which is compared as it was sent, without the query.
    public func requests(path: String) -> [RecordedRequest] { requests.filter { $0.path == path } }

    /// Forgets all requests.
    public func clear() {
        contents.withLock { $0.removeAll() }
    }

    func append(_ request: RecordedRequest) {
        contents.withLock { $0.append(request) }
    }
}

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
