// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The sockets registered with epoll", .timeLimit(.minutes(15)))
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

    @Test("an event without interest ends the registration")
    func withoutInterest() {
        var table = SocketTable()
        table.opened(5)
        _ = table.interest(CURL_POLL_IN, in: 5)
        _ = table.interest(CURL_POLL_REMOVE, in: 5)
        #expect(table.ready(5) == .remove)
        #expect(table.ready(5) == .none)
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
    }

    @Test("a socket whose end is not reported is removed immediately")
    func unwatched() {
        var table = SocketTable()
        #expect(table.interest(CURL_POLL_IN, in: 9) == .add(CURL_POLL_IN))
        #expect(table.interest(CURL_POLL_REMOVE, in: 9) == .remove)
        #expect(table.interest(CURL_POLL_IN, in: 9) == .add(CURL_POLL_IN))
    }

    @Test("a reused number starts anew")
    func usedAgain() {
        var table = SocketTable()
        table.opened(5)
        table.forbidReuse(of: socket(5))
        _ = table.interest(CURL_POLL_IN, in: 5)
        let generation = table.generation(of: 5)
        #expect(table.closing(5) == .remove)
        table.opened(5)
        #expect(table.generation(of: 5) == generation + 1)
        #expect(table.generation(of: 6) == 0)
        #expect(table.generation(of: -1) == 0)
        #expect(!table.mustNotBeReused(socket(5)))
        #expect(!table.mustNotBeReused(socket(5, 1)))
        #expect(!table.isOpen(socket(5)))
        #expect(table.isOpen(socket(5, 1)))
        #expect(table.interest(CURL_POLL_IN, in: 5) == .add(CURL_POLL_IN))
    }

    private func socket(_ number: Int32, _ generation: UInt32 = 0) -> SocketTable.Socket {
        SocketTable.Socket(number: number, generation: generation)
    }

    private func address(_ localPort: Int, to remotePort: Int, at remote: UInt32 = 1) -> ConnectionAddress {
        ConnectionAddress(local: .ipv4(1), localPort: localPort, remote: .ipv4(remote), remotePort: remotePort)
    }

    @Test("connections that share a local port are distinguished by their other end")
    func sharedPort() {
        var table = SocketTable()
        let addresses = [5: address(80, to: 1), 6: address(80, to: 2), 7: address(80, to: 1, at: 2)] as [Int32: _]
        for (socket, address) in addresses.sorted(by: { $0.key < $1.key }) {
            table.opened(socket)
            #expect(table.sockets(of: address, isNew: true) { addresses[$0] }.map(\.number) == [socket])
        }
        for (socket, address) in addresses {
            #expect(table.sockets(of: address, isNew: false) { _ in nil }.map(\.number) == [socket])
        }
        _ = table.closing(6)
        #expect(table.sockets(of: address(80, to: 2), isNew: false) { _ in nil }.map(\.number) == [])
        #expect(table.sockets(of: address(80, to: 1), isNew: false) { _ in nil }.map(\.number) == [5])
    }

    @Test("sockets with equal addresses are all returned, until they are closed")
    func equalAddresses() {
        var table = SocketTable()
        table.opened(5)
        #expect(table.sockets(of: ConnectionAddress(), isNew: true) { _ in ConnectionAddress() }.map(\.number) == [5])
        table.opened(6)
        #expect(
            table.sockets(of: ConnectionAddress(), isNew: true) { _ in ConnectionAddress() }.map(\.number) == [5, 6]
        )
        _ = table.closing(5)
        #expect(table.sockets(of: ConnectionAddress(), isNew: false) { _ in nil }.map(\.number) == [6])
    }

    @Test("a number reopened without a reported end stands for the new connection only")
    func untoldEnd() {
        var table = SocketTable()
        table.opened(5)
        #expect(table.sockets(of: address(1, to: 2), isNew: true) { _ in self.address(1, to: 2) }.map(\.number) == [5])
        table.opened(5)
        #expect(table.sockets(of: address(1, to: 2), isNew: false) { _ in nil }.map(\.number) == [])
        #expect(table.sockets(of: address(3, to: 2), isNew: true) { _ in self.address(3, to: 2) }.map(\.number) == [5])
        table.opened(5)
        table.opened(5)
        #expect(table.sockets(of: ConnectionAddress(), isNew: true) { _ in ConnectionAddress() }.map(\.number) == [5])
    }

    @Test("a socket that was connected for another request is found when it is first used")
    func connectedForAnother() {
        var table = SocketTable()
        table.opened(5)
        #expect(table.sockets(of: address(1, to: 2), isNew: false) { _ in nil }.map(\.number) == [])
        #expect(table.sockets(of: address(1, to: 2), isNew: false) { _ in self.address(1, to: 2) }.map(\.number) == [5])
    }
}
