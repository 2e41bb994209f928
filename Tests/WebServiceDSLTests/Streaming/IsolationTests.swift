// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import WebServiceDSL

/// Reading a part that has arrived must not cost a hop between executors.
@Suite("Readers of a stream", .timeLimit(.minutes(15)))
struct IsolationTests {
    /// A content that notes the actor on which it is read.
    private final class Probe: StreamedContent {
        private let rest = Mutex(3)
        let isOnMainActor = Mutex<[Bool]>([])
        var trailers: HTTPFields { [:] }
        var metrics: TransferMetrics { TransferMetrics() }

        nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
            let isolation: (any Actor)? = #isolation
            isOnMainActor.withLock { $0.append(isolation === MainActor.shared) }
            return rest.withLock { rest in
                rest -= 1
                return rest < 0 ? nil : Data("line\n".utf8)
            }
        }

        func cancel() {}
    }

    @Test("read on the actor of their caller", arguments: 0..<4)
    @MainActor func actor(form: Int) async throws {
        let probe = Probe()
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: probe)
        switch form {
        case 0: while try await stream.next() != nil {}
        case 1: for try await _ in stream {}
        case 2: for try await _ in stream.byteLines() {}
        default: try await stream.discard()
        }
        #expect(probe.isOnMainActor.withLock { $0 } == [true, true, true, true])
    }
}
