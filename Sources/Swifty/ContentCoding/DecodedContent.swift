// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// Streamed content without its codings, decoded in parts of at most 64 KiB as it is read.
final class DecodedContent: StreamedContent {
    private let content: any StreamedContent
    /// `nil` for content without a known coding; an error if there are too many codings.
    private let chain: Mutex<Result<DecodingChain?, SwiftyError>>

    init(_ content: any StreamedContent, _ chain: sending Result<DecodingChain?, SwiftyError>) {
        self.content = content
        self.chain = Mutex(chain)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        while true {
            if let part = try decode({ chain throws(SwiftyError) in try chain?.next() }) { return part }
            guard let coded = try await content.next() else {
                try decode { chain throws(SwiftyError) in try chain?.finish() }
                return nil
            }
            let isCoded = try decode { chain in
                chain?.feed(coded)
                return chain != nil
            }
            if !isCoded { return coded }
        }
    }

    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        content.whenEnded(handler)
    }

    func cancel() {
        content.cancel()
    }

    var trailers: HTTPFields { content.trailers }
    var metrics: TransferMetrics { content.metrics }

    /// - Throws: The error of damaged or too large content, which ends the transfer.
    private func decode<Value: Sendable>(
        _ step: (inout DecodingChain?) throws(SwiftyError) -> Value
    ) throws(SwiftyError) -> Value {
        do throws(SwiftyError) {
            return try chain.withLock { result throws(SwiftyError) in
                var chain = try result.get()
                // Releases the other reference, so that the chain is not copied.
                result = .success(nil)
                defer { result = .success(chain) }
                return try step(&chain)
            }
        } catch {
            content.cancel()
            throw error
        }
    }
}
