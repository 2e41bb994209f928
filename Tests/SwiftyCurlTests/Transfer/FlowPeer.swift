// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Synchronization

/// The server of `Tests/Peers/flow.py`, whose contents are long.
struct FlowPeer {
    enum Version: String, Sendable, CaseIterable {
        case http1 = "http/1.1"
        case http2 = "h2"
    }

    let transport: CurlTransport
    private let peer: TLSPeer

    init(_ version: Version, _ change: (inout CurlTransport.Configuration) -> Void = { _ in }) async throws {
        peer = try await TLSPeer("flow.py", option: version.rawValue)
        transport = peer.transport(change)
    }

    func request(
        _ path: String,
        method: HTTPRequest.Method = .get,
        timeouts: NetworkRequest.Timeouts = NetworkRequest.Timeouts(total: .seconds(900))
    ) throws -> NetworkRequest {
        try .to(peer.url(path), method: method, timeouts: timeouts)
    }

    func stream(
        _ path: String,
        method: HTTPRequest.Method = .get,
        content: (any ContentSource)? = nil,
        timeouts: NetworkRequest.Timeouts = NetworkRequest.Timeouts(total: .seconds(900))
    ) async throws(SwiftyError) -> StreamedResponse {
        var request: NetworkRequest
        do {
            request = try self.request(path, method: method, timeouts: timeouts)
        } catch {
            throw SwiftyError(.invalidURL, stage: .building, underlying: error)
        }
        if let content { request.content = .source(content) }
        return try await transport.stream(request, cancellation: LoadCancellation())
    }

    /// The number of bytes of contents that the server has written.
    func written() async throws -> Int { try await number("written") }

    /// The number of requests that the server is serving, this one not included.
    func open() async throws -> Int { try await number("open") - 1 }

    private func number(_ path: String) async throws -> Int {
        Int(try await transport.load(request(path)).text) ?? -1
    }
}

extension NetworkRequest {
    /// The request with content from a source.
    func sending(_ source: any ContentSource) -> NetworkRequest {
        var request = self
        request.content = .source(source)
        return request
    }
}

extension StreamedContent {
    /// Reads everything, whose bytes are those that `flow.py` sends. Returns their number.
    func checkedCount() async throws(SwiftyError) -> Int? {
        var count = 0
        while let part = try await next() {
            for byte in part {
                guard byte == UInt8(truncatingIfNeeded: count) else { return nil }
                count += 1
            }
        }
        return count
    }
}

/// A source of the bytes that `flow.py` sends, which counts what it is asked for.
final class PatternSource: ContentSource {
    struct State {
        var position = 0
        var calls = 0
        var rewinds = 0
    }

    let length: Int?
    let isRewindable: Bool
    private let count: Int
    private let partSize: Int
    /// The bytes of a part that begins at a multiple of 256, and 255 more.
    private let pattern: Data
    private let failure: (any Error & Sendable)?
    let state = Mutex(State())

    /// - Parameter failure: Thrown behind the last byte.
    init(
        _ count: Int,
        length: Int? = nil,
        partSize: Int = 10_000,
        isRewindable: Bool = false,
        failure: (any Error & Sendable)? = nil
    ) {
        self.count = count
        self.length = length
        self.partSize = partSize
        pattern = Data((0..<partSize + 255).map { UInt8(truncatingIfNeeded: $0) })
        self.isRewindable = isRewindable
        self.failure = failure
    }

    func next() async throws -> Data? {
        let range = state.withLock { state in
            state.calls += 1
            let start = state.position
            state.position = min(count, start + partSize)
            return start..<state.position
        }
        if range.isEmpty, let failure { throw failure }
        let start = range.lowerBound % 256
        return range.isEmpty ? nil : pattern[start..<start + range.count]
    }

    func rewind() async throws {
        state.withLock { state in
            state.position = 0
            state.rewinds += 1
        }
    }
}
