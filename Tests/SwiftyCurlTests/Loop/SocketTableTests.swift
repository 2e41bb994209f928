// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Testing

@testable import SwiftyCurl

@Suite("Which sockets epoll is told of")
struct SocketTableTests {
    @Test("a kept connection stays registered between its requests")
    func keptConnection() {
        var table = SocketTable()
        table.opened(5)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
        #expect(table.interest(CURL_POLL_REMOVE, in: 5) == .none)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .none)
        #expect(table.ready(5) == .none)
        #expect(table.interest(CURL_POLL_INOUT, in: 5) == .modify(CURL_POLL_INOUT))
        #expect(table.closing(5) == .remove)
    }

    @Test("what arrives while nobody is interested ends the registration")
    func nobodyInterested() {
        var table = SocketTable()
        table.opened(5)
        _ = table.interest(CURL_POLL_IN, in: 5)
        _ = table.interest(CURL_POLL_REMOVE, in: 5)
        #expect(table.ready(5) == .remove)
        #expect(table.ready(5) == .none)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
    }

    @Test("a socket whose end nobody reports is removed at once")
    func unwatched() {
        var table = SocketTable()
        #expect(table.interest(CURL_POLL_IN, in: 9) == .add(CURL_POLL_IN))
        #expect(table.interest(CURL_POLL_REMOVE, in: 9) == .remove)
        #expect(table.interest(CURL_POLL_IN, in: 9) == .add(CURL_POLL_IN))
    }

    @Test("a number that is used again starts anew")
    func usedAgain() {
        var table = SocketTable()
        table.opened(5)
        table.markExclusive(5)
        _ = table.interest(CURL_POLL_IN, in: 5)
        let generation = table.generation(of: 5)
        #expect(table.closing(5) == .remove)
        table.opened(5)
        #expect(table.generation(of: 5) == generation + 1)
        #expect(table.generation(of: 6) == 0 && table.generation(of: -1) == 0)
        #expect(!table.isExclusive(5))
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
    }

    @Test("a local port that two sockets have identifies neither")
    func sharedPort() {
        var table = SocketTable()
        table.opened(5)
        #expect(table.socket(localPort: 80, isNew: true) { _ in 80 } == 5)
        #expect(table.socket(localPort: 80, isNew: false) { _ in 0 } == 5)
        table.opened(6)
        #expect(table.socket(localPort: 80, isNew: true) { _ in 80 } == nil)
        _ = table.closing(5)
        _ = table.closing(6)
        table.opened(7)
        #expect(table.socket(localPort: 80, isNew: true) { _ in 80 } == 7)
    }
}
