// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The sockets registered with epoll", .timeLimit(.minutes(15)))
struct SocketTableTests {
    @Test("a change of interest changes the registration, and nothing else does")
    func interest() {
        var table = SocketTable()
        #expect(table.interest(CURL_POLL_REMOVE, in: 5) == .none)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
        #expect(table.interest(CURL_POLL_IN, in: 5) == .none)
        #expect(table.interest(CURL_POLL_INOUT, in: 5) == .modify(CURL_POLL_INOUT))
        #expect(table.interest(CURL_POLL_REMOVE, in: 5) == .remove)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
        #expect(table.close(5) == .remove)
    }

    @Test("a number that is used again starts anew")
    func usedAgain() {
        var table = SocketTable()
        _ = table.interest(CURL_POLL_IN, in: 5)
        table.adopt(5)
        let generation = table.generation(of: 5)
        #expect(table.close(5) == .remove)
        #expect(table.close(5) == .none)
        #expect(table.generation(of: 5) == generation + 2)
        #expect(!table.isAdopted(5))
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
    }

    @Test("unknown numbers are harmless")
    func unknown() {
        var table = SocketTable()
        for number in [6, -1] as [Int32] {
            #expect(table.generation(of: number) == 0)
            #expect(!table.isAdopted(number))
            #expect(table.handler(of: number) == nil)
        }
        #expect(table.interest(CURL_POLL_IN, in: -1) == .none)
        #expect(table.close(-1) == .none)
    }

    @Test("a socket that epoll refuses is not registered")
    func failed() {
        var table = SocketTable()
        _ = table.interest(CURL_POLL_IN, in: 5)
        table.failed(5)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
    }
}
