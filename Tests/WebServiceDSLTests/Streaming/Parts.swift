// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

@testable import WebServiceDSL

/// A content of given parts, and what was done with it.
final class PartedContent: StreamedContent {
    private struct State {
        var parts: [Data]
        var readCount = 0
        var isCancelled = false
    }

    private let state: Mutex<State>
    private let error: SwiftyError?
    var trailers: HTTPFields { [:] }
    var metrics: TransferMetrics { TransferMetrics() }

    /// - Parameter error: The error after the last part; `nil` for a complete content.
    init(_ parts: [Data], error: SwiftyError? = nil) {
        state = Mutex(State(parts: parts))
        self.error = error
    }

    /// The number of parts that were read.
    var readCount: Int { state.withLock { $0.readCount } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws(SwiftyError) -> Data? {
        let part: Data? = state.withLock { state in
            guard !state.isCancelled, state.readCount < state.parts.count else { return nil }
            defer { state.readCount += 1 }
            return state.parts[state.readCount]
        }
        if part == nil, let error { throw error }
        return part
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }
}

extension ResponseStream {
    /// A stream of given parts.
    convenience init(parts: [Data], status: Int = 200, headers: HTTPFields = [:]) {
        self.init(
            head: ResponseHead(statusCode: status, headers: headers),
            content: PartedContent(parts)
        )
    }

    /// A stream of texts as parts.
    convenience init(_ parts: String...) {
        self.init(parts: parts.map { Data($0.utf8) })
    }
}

/// The ways to divide bytes into parts that tests go through: whole, byte by byte, and every division into two.
///
/// The parts are slices of a larger value, as a transport may deliver them.
func divisions(of bytes: Data) -> [[Data]] {
    let padded = Data([0x0A, 0x0D]) + bytes
    let whole = padded[2...]
    let singles = whole.indices.map { whole[$0..<($0 + 1)] }
    let pairs = whole.indices.dropFirst().map { [whole[..<$0], whole[$0...]] }
    return [[whole], singles] + pairs
}

/// Random bytes from a small alphabet, so that what separates them is frequent.
func randomBytes(of alphabet: [UInt8], upTo count: Int, _ generator: inout SplitMix) -> Data {
    Data(
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? 0
        }
    )
}

extension AsyncSequence {
    /// All elements.
    func collect() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}

/// A network interface whose responses are streams of given contents, one for each load.
final class StreamingInterface: NetworkInterface {
    private struct State {
        var contents: [Result<ResponseStream, SwiftyError>]
        var requests: [NetworkRequest] = []
    }

    private let state: Mutex<State>

    init(_ contents: [Result<ResponseStream, SwiftyError>]) {
        state = Mutex(State(contents: contents.reversed()))
    }

    convenience init(_ contents: ResponseStream...) {
        self.init(contents.map { .success($0) })
    }

    var requests: [NetworkRequest] { state.withLock { $0.requests } }

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        NetworkResponse(error: SwiftyError(.transportFailed, stage: .send))
    }

    /// The next content. It is released with its stream.
    func stream(
        _ draft: RequestDraft,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> ResponseStream {
        let request = try await draft.makeRequest()
        let content = state.withLock { state in
            state.requests.append(request)
            return state.contents.popLast()
        }
        guard let content else { throw SwiftyError(.connectionFailed, stage: .connect, reason: "no content is left") }
        return try content.get()
    }
}
