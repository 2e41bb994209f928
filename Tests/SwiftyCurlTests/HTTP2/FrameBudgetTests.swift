// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("The budget of HTTP/2 frames", .timeLimit(.minutes(15)))
struct FrameBudgetTests {
    private func frame(_ type: UInt8, flags: UInt8 = 0, payload: Int = 0) -> [UInt8] {
        [UInt8(payload >> 16 & 0xFF), UInt8(payload >> 8 & 0xFF), UInt8(payload & 0xFF), type, flags, 0, 0, 0, 1]
            + [UInt8](repeating: 7, count: payload)
    }

    /// - Parameters:
    ///   - frames: Frames that arrive this number of times, in pieces of this size.
    ///   - useful: The number of them that bring something.
    private func isExceeded(by frames: [UInt8], useful: Int = 0, count: Int, inPiecesOf size: Int = .max) -> Bool {
        var budget = FrameBudget()
        for _ in 0..<count {
            var rest = frames[...]
            while !rest.isEmpty {
                rest.prefix(size).withUnsafeBytes { budget.scan($0) }
                rest = rest.dropFirst(size)
            }
            budget.allow(useful)
            if budget.isExceeded { return true }
        }
        return false
    }

    @Test(
        "frames that bring nothing exceed it, of any kind and in pieces of any size",
        arguments: [0, 1, 2, 3, 4, 6, 7, 8, 9, 0xFA],
        [1, 8, 9, 10, .max]
    )
    func idle(type: UInt8, size: Int) {
        for payload in [0, 1, 8, 30] {
            #expect(!isExceeded(by: frame(type, payload: payload), count: 2_000, inPiecesOf: size))
            #expect(isExceeded(by: frame(type, payload: payload), count: 2_001, inPiecesOf: size))
        }
    }

    @Test("useful frames never do, in pieces of any size", arguments: [1, 8, 9, 10, 100, .max])
    func useful(size: Int) {
        #expect(!isExceeded(by: frame(0, payload: 1), useful: 1, count: 5_000, inPiecesOf: size))
    }

    @Test("a server may update two windows, and send a PING, for each part of the content")
    func mixed() {
        let exchange = frame(0, payload: 100) + frame(8, payload: 4) + frame(8, payload: 4) + frame(6, payload: 8)
        #expect(!isExceeded(by: exchange, useful: 1, count: 20_000))
        #expect(isExceeded(by: exchange + frame(4) + frame(4), useful: 1, count: 20_000))
    }

    @Test("a long silence may have its PINGs")
    func silence() {
        var budget = FrameBudget()
        for second in 0..<10_000 as Range<Int64> {
            budget.refill(at: second * 1_000_000_000)
            (frame(6, payload: 8) + frame(6, payload: 8)).withUnsafeBytes { budget.scan($0) }
        }
        #expect(!budget.isExceeded)
        for _ in 0..<2_001 { frame(6, payload: 8).withUnsafeBytes { budget.scan($0) } }
        #expect(budget.isExceeded)
        // A connection that has exceeded it cannot wait for better times.
        budget.refill(at: .max)
        #expect(budget.isExceeded)
    }

    @Test("a payload that looks like frames is not counted")
    func payload() {
        var bytes = frame(0, payload: 1 << 16)
        bytes.replaceSubrange(9..., with: [UInt8](repeating: 0, count: 1 << 16))
        #expect(!isExceeded(by: bytes, count: 1))
    }
}
