// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("A response between the loop and its reader", .timeLimit(.minutes(15)))
struct ResponseFeedTests {
    /// Over HTTP/2, parts arrive also while the loop waits for the reader.
    @Test("has the loop continue whenever the reader has taken everything", arguments: 0..<20)
    func continuation(seed: UInt64) async {
        var generator = SplitMix(seed: seed)
        let feed = ResponseFeed()
        var isLoopWaiting = false
        var (sent, received, waits) = (0, 0, 0)
        for _ in 0..<4_000 {
            // Mostly puts in one phase, mostly takes in the next.
            let isPut = Int.random(in: 0..<10, using: &generator) < (sent / 2_000_000 % 2 == 0 ? 8 : 2)
            if isPut || feed.byteCount == 0 {
                let part = Data(repeating: 7, count: Int.random(in: 1...100_000, using: &generator))
                sent += part.count
                let mayContinue = feed.put(part)
                if !mayContinue, !isLoopWaiting { waits += 1 }
                isLoopWaiting = !mayContinue
            } else if case .part(let bytes, let tellsLoop) = await feed.next() {
                received += bytes.count
                if tellsLoop { isLoopWaiting = false }
            }
            if feed.byteCount == 0 { #expect(!isLoopWaiting) }
        }
        while feed.byteCount > 0, case .part(let bytes, _) = await feed.next() { received += bytes.count }
        #expect(sent == received)
        #expect(waits > 1)
    }
}
