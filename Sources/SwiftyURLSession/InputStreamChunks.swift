// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SwiftySupport

// Safety: the stream is used by the one iterator that is made, whose calls follow one another.
/// The bytes of an `InputStream`, which is read once, on a queue for code that waits.
struct InputStreamChunks: AsyncSequence, @unchecked Sendable {
    private let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(stream)
    }

    // Safety: as above.
    /// Reads a stream, and closes it at its end.
    final class Iterator: AsyncIteratorProtocol, @unchecked Sendable {
        private static let queue = DispatchQueue(label: "swifty.input-stream", attributes: .concurrent)
        private static let capacity = 65_536

        private let stream: InputStream

        init(_ stream: InputStream) {
            self.stream = stream
        }

        deinit {
            stream.close()
        }

        func next() async throws -> Data? {
            try await Self.queue.value { self.read() }.get()
        }

        private func read() -> Result<Data?, any Error> {
            if stream.streamStatus == .notOpen { stream.open() }
            var bytes = [UInt8](repeating: 0, count: Self.capacity)
            let count = stream.read(&bytes, maxLength: bytes.count)
            if count < 0 { return .failure(stream.streamError ?? CocoaError(.fileReadUnknown)) }
            return .success(count == 0 ? nil : Data(bytes[..<count]))
        }
    }
}
