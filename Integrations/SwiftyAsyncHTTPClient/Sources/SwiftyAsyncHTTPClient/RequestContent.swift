// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import SwiftyTransport
import Synchronization

/// The content of a request, which a client takes part by part, with its errors made typed, and its length checked.
///
/// The client does so in a task that the transfer does not hold, and that may never end. So the source is read in a
/// task of the content's own, and ``end()`` leaves nothing to that other one.
final class RequestContent: Sendable {
    /// The size of the largest part. A larger one would count as silence while it is sent.
    static let partSize = 64 << 10

    private struct State {
        var source: (any ContentSource)?
        /// What was read and not taken.
        var rest = Data()
        var taken = 0
        var reading: Task<Data?, any Error>?
    }

    private let length: Int?
    private let state: Mutex<State>

    init(_ request: NetworkRequest) {
        length = request.content.length
        state = Mutex(State(source: request.content.source, rest: request.content.data ?? Data()))
    }

    /// The number of bytes that were taken.
    var taken: Int { state.withLock { $0.taken } }

    /// Takes the next part; `nil` after the last one.
    ///
    /// - Throws: `SwiftyError` if the source fails or has another length than announced; `CancellationError` after the
    ///   end, so that content that is cut off never looks complete.
    func next() async throws -> Data? {
        while true {
            if let part = try takeRest() { return part }
            guard let reading = startReading() else { return try checkedEnd() }
            guard let part = try await read(reading) else { return try checkedEnd() }
            state.withLock { state in
                if state.source != nil { state.rest = part }
            }
        }
    }

    /// Ends a read, and releases the content.
    func end() {
        let (reading, source) = state.withLock { state in
            defer { (state.source, state.rest, state.reading) = (nil, Data(), nil) }
            return (state.reading, state.source)
        }
        reading?.cancel()
        source?.cancel()
    }

    private func takeRest() throws -> Data? {
        let (part, taken) = state.withLock { state in
            let part = state.rest.prefix(Self.partSize)
            state.rest = state.rest.dropFirst(part.count)
            state.taken += part.count
            return (part, state.taken)
        }
        if let length, taken > length { throw Self.wrongLength }
        return part.isEmpty ? nil : part
    }

    /// Starts to read from the source; `nil` if there is none any more.
    private func startReading() -> Task<Data?, any Error>? {
        state.withLock { state in
            guard let source = state.source else { return nil }
            let reading = Task { try await source.next() }
            state.reading = reading
            return reading
        }
    }

    private func read(_ reading: Task<Data?, any Error>) async throws -> Data? {
        do {
            return try await reading.value
        } catch let error as SwiftyError {
            // The rest of the error tells of another transfer than this one.
            throw Self.failure(error.code, error.reason, error.underlying)
        } catch {
            throw Self.failure(.contentUnreadable, "the content cannot be read", error)
        }
    }

    private func checkedEnd() throws -> Data? {
        let (hasSource, taken) = state.withLock { ($0.source != nil, $0.taken) }
        if taken == length { return nil }
        guard hasSource else { throw CancellationError() }
        if length != nil { throw Self.wrongLength }
        return nil
    }

    private static func failure(
        _ code: SwiftyError.Code,
        _ reason: String,
        _ underlying: (any Error)? = nil
    ) -> SwiftyError {
        SwiftyError(code, stage: .send, sent: .maybeSent, reason: reason, underlying: underlying)
    }

    private static let wrongLength = failure(.contentUnreadable, "the content does not have its announced length")
}

/// The content of a request as a sequence for AsyncHTTPClient.
struct ContentParts: AsyncSequence, Sendable {
    let content: RequestContent
    /// The loop of the connection.
    let loop: any EventLoop
    /// Called with the number of bytes that the connection has taken.
    let onTaken: @Sendable (Int) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(parts: self) }

    struct Iterator: AsyncIteratorProtocol {
        let parts: ContentParts

        func next() async throws -> ByteBuffer? {
            // The loop gets here after the earlier writes. If they have filled the connection, AsyncHTTPClient knows it
            // now, and holds the next part back.
            try await parts.loop.submit {}.get()
            parts.onTaken(parts.content.taken)
            return try await parts.content.next().map { ByteBuffer(bytes: $0) }
        }
    }
}
