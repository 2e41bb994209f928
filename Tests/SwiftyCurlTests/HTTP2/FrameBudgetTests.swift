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

    private func isExceeded(by frames: [UInt8], count: Int, inPiecesOf size: Int = .max) -> Bool {
        var budget = FrameBudget()
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes += frames }
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { budget.scan($0) }
            rest = rest.dropFirst(size)
        }
        return budget.isExceeded
    }

    @Test(
        "frames that bring nothing exceed it",
        arguments: [
            (0, 0), (2, 5), (3, 4), (4, 0), (4, 6), (6, 8), (7, 8), (8, 4), (9, 1), (0xFA, 0),
        ] as [(UInt8, Int)]
    )
    func idle(type: UInt8, payload: Int) {
        #expect(!isExceeded(by: frame(type, payload: payload), count: 2_000))
        #expect(isExceeded(by: frame(type, payload: payload), count: 2_001))
    }

    @Test("padding without content does, in pieces of any size", arguments: [1, 9, 10, 11, .max])
    func padding(size: Int) {
        let padding = frame(0, flags: 8, payload: 8)
        #expect(isExceeded(by: padding, count: 2_001, inPiecesOf: size))
        #expect(!isExceeded(by: frame(0, flags: 8, payload: 9), count: 5_000, inPiecesOf: size))
        #expect(isExceeded(by: frame(0, flags: 8), count: 2_001, inPiecesOf: size))
    }

    @Test("content, heads and ends never do, in pieces of any size", arguments: [1, 8, 9, 10, 100, .max])
    func useful(size: Int) {
        for frame in [frame(0, payload: 1), frame(0, flags: 1), frame(1, flags: 4, payload: 3)] {
            #expect(!isExceeded(by: frame, count: 5_000, inPiecesOf: size))
        }
    }

    @Test("a server may update two windows, and send a PING, for each part of the content")
    func mixed() {
        let exchange = frame(0, payload: 100) + frame(8, payload: 4) + frame(8, payload: 4) + frame(6, payload: 8)
        #expect(!isExceeded(by: exchange, count: 20_000))
        #expect(isExceeded(by: exchange + frame(4) + frame(4), count: 20_000))
    }

    @Test("a payload that looks like frames is not counted")
    func payload() {
        var bytes = frame(0, payload: 1 << 16)
        bytes.replaceSubrange(9..., with: [UInt8](repeating: 0, count: 1 << 16))
        #expect(!isExceeded(by: bytes, count: 1))
    }
}
