// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Foundation
import Swifty
import Synchronization

/// A transport that holds requests until a test releases them.
final class HeldTransport: Transport {
    private struct State {
        var requests: [NetworkRequest] = []
        var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var shutdowns = 0
    }

    private let state = Mutex(State())
    private let (gate, opening) = AsyncStream<Never>.makeStream()
    /// The content of all streams.
    let content = HeldContent()
    private let type: String

    /// - Parameter type: The media type of streams.
    init(type: String = "application/octet-stream") {
        self.type = type
    }

    let capabilities: TransportCapabilities = [.exactRequests, .reroutes]
    var requests: [NetworkRequest] { state.withLock(\.requests) }
    var shutdowns: Int { state.withLock(\.shutdowns) }

    /// Lets all requests go, those that come later as well.
    func open() {
        opening.finish()
    }

    /// Returns when so many requests have arrived.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.requests.count >= count { return true }
                state.arrivals.append((count, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func arrive(_ request: NetworkRequest) {
        let ready = state.withLock { state in
            state.requests.append(request)
            let ready = state.arrivals.filter { $0.count <= state.requests.count }
            state.arrivals.removeAll { $0.count <= state.requests.count }
            return ready
        }
        for arrival in ready { arrival.continuation.resume() }
    }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let (ends, ending) = AsyncStream<Never>.makeStream()
        let registration = cancellation.onCancel { _ in ending.finish() }
        defer { cancellation.remove(registration) }
        arrive(request)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [gate] in for await _ in gate {} }
            group.addTask { for await _ in ends {} }
            await group.next()
            group.cancelAll()
        }
        if let code = cancellation.code {
            throw SwiftyError(code, stage: .firstByte, sent: .maybeSent, reason: "ended")
        }
        return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("held".utf8))
    }

    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        arrive(request)
        _ = cancellation.onCancel { [content] in content.end(with: $0) }
        return StreamedResponse(head: ResponseHead(statusCode: 200, headers: [.contentType: type]), content: content)
    }

    func shutdown() async {
        state.withLock { $0.shutdowns += 1 }
    }
}

/// Content that a test feeds.
final class HeldContent: StreamedContent {
    private let (parts, feed) = AsyncStream<Data>.makeStream()
    private let code = Mutex<SwiftyError.Code?>(nil)
    let trailers: HTTPFields = [:]
    let metrics = TransferMetrics()

    func send(_ text: String) {
        feed.yield(Data(text.utf8))
    }

    func finish() {
        feed.finish()
    }

    func end(with code: SwiftyError.Code) {
        self.code.withLock { $0 = $0 ?? code }
        feed.finish()
    }

    func cancel() {
        end(with: .cancelled)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        var iterator = parts.makeAsyncIterator()
        if let part = await iterator.next(isolation: #isolation) { return part }
        guard let code = code.withLock(\.self) else { return nil }
        throw SwiftyError(code, stage: .content, sent: .responded, reason: "ended")
    }
}
#endif
