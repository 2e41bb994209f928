// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SwiftyCurl

@Suite("A content buffer", .timeLimit(.minutes(15)))
struct ContentBufferTests {
    private func piece(_ number: Int, of size: Int) -> [UInt8] {
        var bytes = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        while bytes.count < size { bytes += bytes }
        return Array(bytes.prefix(size))
    }

    @Test(
        "returns its content, whatever size was expected",
        arguments: [1, 14, 15, 4_096, 16_384, 100_000, 300_000],
        [0, 1, 5_000, 1 << 20, 64 << 20]
    )
    func roundTrip(size: Int, expected: Int) {
        var buffer = ContentBuffer()
        var all = Data()
        for number in 0..<30 {
            let bytes = piece(number, of: size)
            all.append(contentsOf: bytes)
            #expect(bytes.withUnsafeBytes { buffer.append($0, expected: expected) })
            #expect(buffer.count == all.count)
        }
        #expect(buffer.take() == all)
        #expect(buffer.count == 0)
        #expect(buffer.take().isEmpty)
    }

    @Test("is empty after its removal of all content, and can be filled again")
    func removed() {
        var buffer = ContentBuffer()
        #expect(piece(1, of: 300_000).withUnsafeBytes { buffer.append($0, expected: 1 << 20) })
        buffer.removeAll()
        #expect(buffer.count == 0)
        #expect(piece(2, of: 3).withUnsafeBytes { buffer.append($0, expected: 0) })
        #expect(buffer.take() == Data(piece(2, of: 3)))
    }

    @Test("keeps large contents apart while they are read, and nothing of an earlier one")
    func again() {
        var kept: [Data] = []
        for number in 0..<20 {
            var buffer = ContentBuffer()
            let bytes = piece(number, of: 300_000 + number * 10_000)
            #expect(bytes.withUnsafeBytes { buffer.append($0, expected: number % 2 == 0 ? 1 << 20 : 0) })
            let data = buffer.take()
            #expect(data == Data(bytes))
            if number % 3 == 0 { kept.append(data) }
        }
        for (number, data) in zip(stride(from: 0, to: 20, by: 3), kept) {
            #expect(data == Data(piece(number, of: data.count)))
        }
    }

    // The sanitizer's allocator ends the process instead.
    #if !SWIFTY_THREAD_SANITIZER
    @Test("reports a failed allocation, and keeps its content")
    func noMemory() {
        var buffer = ContentBuffer()
        #expect(piece(1, of: 10).withUnsafeBytes { buffer.append($0, expected: 0) })
        #expect(!piece(2, of: 100).withUnsafeBytes { buffer.append($0, expected: Int.max / 2) })
        #expect(buffer.take() == Data(piece(1, of: 10)))
    }
    #endif

    @Test("gives away content that can be changed like any other")
    func changed() {
        var buffer = ContentBuffer()
        #expect(piece(1, of: 200_000).withUnsafeBytes { buffer.append($0, expected: 1 << 20) })
        var data = buffer.take()
        data.append(contentsOf: [1, 2, 3])
        data[0] = 9
        #expect(data.count == 200_003)
        #expect(data.last == 3)
        #expect(data[1] == piece(1, of: 2)[1])
    }
}
