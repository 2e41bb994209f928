// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads what a closure writes. The closure runs in its own task until it returns, or until the reading ends.
final class WriterReader: ContentReader {
    private let pipe = ContentPipe()
    private let task: Task<Void, Never>

    init(_ write: @escaping @Sendable (ContentWriter) async throws -> Void) {
        let pipe = pipe
        task = Task {
            do {
                try await write(ContentWriter(pipe))
                pipe.finish(.success(()))
            } catch {
                pipe.finish(.failure(error))
            }
        }
    }

    deinit {
        cancel()
    }

    func next() async throws -> Data? {
        try await pipe.take()
    }

    /// Ends the closure's task; its writes fail.
    func cancel() {
        pipe.abandon()
        task.cancel()
    }
}
