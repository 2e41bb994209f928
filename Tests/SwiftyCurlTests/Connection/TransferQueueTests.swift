// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("The queue of transfers that wait for a connection", .timeLimit(.minutes(15)))
struct TransferQueueTests {
    private let environment = CurlEnvironment(CurlTransport.Configuration())

    private func transfers(_ count: Int) throws -> [Transfer] {
        try (0..<count).map { number in
            let transfer = try Transfer(.to("http://one.test/\(number)"), in: environment)
            transfer.arrive(as: number + 1)
            return transfer
        }
    }

    @Test("keeps the order of arrival, whichever is removed")
    func order() throws {
        var queue = TransferQueue()
        let transfers = try transfers(6)
        for transfer in transfers { queue.add(transfer) }
        queue.remove(transfers[0])
        queue.remove(transfers[3])
        queue.remove(transfers[3])
        #expect(queue.count == 4)
        #expect(!queue.contains(transfers[3]))
        #expect(queue.all.map { $0.target.path } == ["/1", "/2", "/4", "/5"])
        #expect(queue.popFirst() === transfers[1])
        queue.remove(transfers[4])
        #expect(queue.popFirst() === transfers[2])
        #expect(queue.popFirst() === transfers[5])
        #expect(queue.popFirst() == nil)
        #expect(queue.isEmpty)
    }

    @Test("takes transfers that have waited longer at its beginning")
    func older() throws {
        var queue = TransferQueue()
        let transfers = try transfers(6)
        for transfer in transfers[2..<5] { queue.add(transfer) }
        #expect(queue.popFirst() === transfers[2])
        queue.add(Array(transfers[..<2]))
        queue.add(transfers[5])
        #expect(queue.first() === transfers[0])
        #expect(queue.count == 5)
        queue.remove(transfers[1])
        queue.remove(transfers[3])
        #expect(queue.all.map { $0.target.path } == ["/0", "/4", "/5"])
        #expect(queue.popFirst() === transfers[0])
        #expect(queue.first() === transfers[4])
    }

    @Test("keeps the order of arrival when a transfer returns")
    func insert() throws {
        var queue = TransferQueue()
        let transfers = try transfers(6)
        for index in [0, 2, 4] { queue.add(transfers[index]) }
        for index in [3, 5, 1] { queue.add(transfers[index]) }
        #expect(queue.all.map { $0.target.path } == (0..<6).map { "/\($0)" })
        queue.remove(transfers[3])
        #expect(queue.count == 5)
        #expect(!queue.contains(transfers[3]))
    }

    @Test("agrees with an array through random arrivals and departures")
    func random() throws {
        var queue = TransferQueue()
        var expected: [Transfer] = []
        var spare = try transfers(200)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                guard let transfer = spare.popLast() else { continue }
                queue.add(transfer)
                let index = expected.firstIndex { $0.arrival > transfer.arrival } ?? expected.endIndex
                expected.insert(transfer, at: index)
            case 2:
                let first = queue.popFirst()
                #expect(first === expected.first)
                if let first { spare.append(first) }
                expected = Array(expected.dropFirst())
            default:
                guard let index = expected.indices.randomElement(using: &random) else { continue }
                let transfer = expected.remove(at: index)
                queue.remove(transfer)
                spare.append(transfer)
            }
            #expect(queue.count == expected.count)
        }
        #expect(queue.all.elementsEqual(expected) { $0 === $1 })
    }
}

extension TransferQueue {
    /// Removes and returns the transfer that has waited the longest.
    fileprivate mutating func popFirst() -> Transfer? {
        guard let transfer = first() else { return nil }
        remove(transfer)
        return transfer
    }
}
