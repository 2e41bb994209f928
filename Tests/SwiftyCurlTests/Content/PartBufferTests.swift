// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The part of a streamed response that is gathered", .timeLimit(.minutes(15)))
struct PartBufferTests {
    @Test("has the bytes that were appended, whatever their number", arguments: 0..<20)
    func bytes(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var buffer = PartBuffer()
        var parts: [Data] = []
        var expected: [Data] = []
        for round in 0..<200 {
            var gathered = Data()
            while !buffer.isFull, Int.random(in: 0..<8, using: &generator) > 0 {
                let byte = UInt8(truncatingIfNeeded: round)
                let piece = Data(repeating: byte, count: Int.random(in: 0...40_000, using: &generator))
                let isInSpace = Bool.random(using: &generator)
                let count = isInSpace ? write(piece, inSpaceOf: &buffer) : append(piece, to: &buffer)
                gathered += piece.prefix(count)
            }
            #expect(buffer.count == gathered.count)
            expected.append(gathered)
            parts.append(buffer.take())
            #expect(buffer.count == 0)
            // Some parts are released, so that their memory is used again while others are held.
            if Bool.random(using: &generator) { _ = (parts.removeFirst(), expected.removeFirst()) }
        }
        #expect(parts == expected)
    }

    private func append(_ piece: Data, to buffer: inout PartBuffer) -> Int {
        piece.withUnsafeBytes { buffer.append($0, at: 1) ?? -1 }
    }

    private func write(_ piece: Data, inSpaceOf buffer: inout PartBuffer) -> Int {
        guard let space = buffer.space() else { return -1 }
        let count = min(space.count, piece.count)
        piece.copyBytes(to: space, count: count)
        buffer.noteWritten(count, at: 1)
        return count
    }

    @Test("is empty after it was emptied")
    func empty() {
        var buffer = PartBuffer()
        #expect(buffer.take().isEmpty)
        _ = [1, 2, 3].withUnsafeBytes { buffer.append($0, at: 1) }
        buffer.removeAll()
        #expect(buffer.count == 0)
        #expect(buffer.take().isEmpty)
    }

    @Test("has the time of its first byte")
    func time() {
        var buffer = PartBuffer()
        for time in [Int64(5), 6] { _ = [UInt8(1)].withUnsafeBytes { buffer.append($0, at: time) } }
        #expect(buffer.begun == 5)
        #expect(buffer.take().count == 2)
        _ = [UInt8(1)].withUnsafeBytes { buffer.append($0, at: 7) }
        #expect(buffer.begun == 7)
    }
}
