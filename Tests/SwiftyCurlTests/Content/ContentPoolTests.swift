// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The pool of pages for content", .timeLimit(.minutes(15)))
struct ContentPoolTests {
    private func pages(_ capacity: Int) throws -> ContentPages {
        try #require(ContentPages(capacity))
    }

    @Test("gives the smallest pages with enough room, unless most of them would be wasted")
    func bestFit() throws {
        let pool = ContentPool(idleLimit: .seconds(900))
        for capacity in [8 << 20, 1 << 20, 2 << 20] { pool.put(try pages(capacity)) }
        #expect(pool.take(9 << 20) == nil)
        #expect(pool.take(255 << 10) == nil)
        for capacity in [2 << 20, 8 << 20] {
            let taken = try #require(pool.take(capacity - 5))
            #expect(taken.capacity == capacity)
            taken.unmap()
        }
        #expect(pool.take(Int.max) == nil)
        #expect(pool.byteCount == 1 << 20)
    }

    @Test("keeps no more than its limit, and of that the latest pages")
    func limit() throws {
        let pool = ContentPool(limit: 3 << 20, idleLimit: .seconds(900))
        for capacity in [1 << 20, 4 << 20, 2 << 20, 512 << 10] { pool.put(try pages(capacity)) }
        #expect(pool.byteCount == (2 << 20) + (512 << 10))
        #expect(pool.take(1 << 20)?.capacity == 2 << 20)
    }

    @Test("is empty some time after the last use")
    func idleLimit() async throws {
        let pool = ContentPool(idleLimit: .milliseconds(20))
        for _ in 0..<3 {
            pool.put(try pages(1 << 20))
            try await until { pool.byteCount == 0 }
        }
    }

    @Test("serves many threads simultaneously, and never gives the same pages to two")
    func threads() async throws {
        let pool = ContentPool(limit: 8 << 20, idleLimit: .milliseconds(1))
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<200 {
                        guard let pages = pool.take(1 << 20) ?? ContentPages(1 << 20) else { return false }
                        pages.start.storeBytes(of: number, as: Int.self)
                        if round % 8 == 0 { await Task.yield() }
                        guard pages.start.load(as: Int.self) == number else { return false }
                        pool.put(pages)
                    }
                    return true
                }
            }
            for await isAlone in group { #expect(isAlone) }
        }
        #expect(pool.byteCount <= pool.limit)
    }
}
