// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// An HTTP/1.1 server that counts the connections that are open simultaneously.
///
/// It counts when it accepts a connection: this one and all earlier ones that have not ended, whether or not their end
/// was read. So a connection that was closed before another one was opened does not count twice.
///
/// Its responses have the target as content. A target that begins with `/hold` has none until ``release()``, one that
/// begins with `/close` ends the connection with its response, and one that begins with `/lose` instead of it.
final class CountingServer: Sendable {
    private struct State {
        var targets: [String] = []
        var limit = 1
        var connections = 0
        var most = 0
        var isReleased = false
        var isStopped = false
    }

    let port: Int
    private let state: SharedState

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// - Parameter limit: The number of open connections above which they are counted repeatedly.
    init(limit: Int = 1) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let state = SharedState()
        self.state = state
        state.value.withLock { $0.limit = limit }
        Thread.detachNewThread { Self.serve(listener, state) }
    }

    deinit {
        state.value.withLock { $0.isStopped = true }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// The greatest number of connections that were open simultaneously.
    var most: Int { state.value.withLock { $0.most } }
    /// The number of connections that were accepted.
    var connectionCount: Int { state.value.withLock { $0.connections } }
    /// The targets of the requests in the order of their arrival.
    var targets: [String] { state.value.withLock { $0.targets } }

    /// Has all held requests answered, and no further ones held.
    func release() {
        state.value.withLock { $0.isReleased = true }
    }
}

// MARK: Serving

extension CountingServer {
    /// `POLLRDHUP` of Linux: the peer has ended its side.
    private static let ended: Int16 = 0x2000
    private static let events = Int16(POLLIN) | ended

    private struct Client {
        var input = ""
        var held: [String] = []
    }

    private static func serve(_ listener: Int32, _ state: SharedState) {
        var clients: [Int32: Client] = [:]
        while !state.value.withLock({ $0.isStopped }) {
            for descriptor in ready(clients.keys + [listener], milliseconds: 5) where descriptor != listener {
                read(descriptor, &clients, state)
            }
            accept(from: listener, &clients, state)
            if state.value.withLock({ $0.isReleased }) { releaseAll(&clients) }
        }
        for descriptor in clients.keys { close(descriptor) }
        close(listener)
    }

    private static func polled(_ descriptors: [Int32], for events: Int16, milliseconds: Int32) -> [pollfd] {
        var all = descriptors.map { pollfd(fd: $0, events: events, revents: 0) }
        poll(&all, nfds_t(all.count), milliseconds)
        return all
    }

    private static func ready(_ descriptors: [Int32], milliseconds: Int32) -> [Int32] {
        polled(descriptors, for: events, milliseconds: milliseconds).filter { $0.revents != 0 }.map(\.fd)
    }

    private static func accept(from listener: Int32, _ clients: inout [Int32: Client], _ state: SharedState) {
        while case let descriptor = Glibc.accept(listener, nil, nil), descriptor >= 0 {
            clients[descriptor] = Client()
            let open = countOpen(clients, above: state.value.withLock { max($0.most, $0.limit) })
            state.value.withLock { state in
                state.connections += 1
                state.most = max(state.most, open)
            }
        }
    }

    /// The number of open connections. One that the client has closed can seem to be open for a moment, because a new
    /// connection can overtake its end; those that the client uses stay open meanwhile, since they get no response.
    private static func countOpen(_ clients: [Int32: Client], above most: Int) -> Int {
        let gone = ended | Int16(POLLHUP) | Int16(POLLERR)
        var open = Array(clients.keys)
        for _ in 0..<50 where open.count > most {
            // Returns when one of them has ended, or after a millisecond.
            open = polled(open, for: ended, milliseconds: 1).filter { $0.revents & gone == 0 }.map(\.fd)
        }
        return open.count
    }

    private static func read(_ descriptor: Int32, _ clients: inout [Int32: Client], _ state: SharedState) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0, var client = clients[descriptor] else { return end(descriptor, &clients) }
        client.input += String(decoding: bytes[..<count], as: UTF8.self)
        clients[descriptor] = client
        while let head = clients[descriptor]?.input.range(of: "\r\n\r\n") {
            let line = clients[descriptor]?.input.prefix { $0 != "\r\n" } ?? ""
            clients[descriptor]?.input.removeSubrange(..<head.upperBound)
            respond(
                to: line.split(separator: " ").dropFirst().first.map(String.init) ?? "",
                descriptor,
                &clients,
                state
            )
        }
    }

    private static func respond(
        to target: String,
        _ descriptor: Int32,
        _ clients: inout [Int32: Client],
        _ state: SharedState
    ) {
        state.value.withLock { $0.targets.append(target) }
        if target.hasPrefix("/hold") {
            clients[descriptor]?.held.append(target)
        } else if target.hasPrefix("/lose") {
            end(descriptor, &clients)
        } else {
            answer(target, descriptor, &clients)
        }
    }

    private static func releaseAll(_ clients: inout [Int32: Client]) {
        for (descriptor, client) in clients {
            clients[descriptor]?.held = []
            for target in client.held { answer(target, descriptor, &clients) }
        }
    }

    private static func answer(_ target: String, _ descriptor: Int32, _ clients: inout [Int32: Client]) {
        let isLast = target.hasPrefix("/close")
        let fields = "Content-Length: \(target.utf8.count)\r\n" + (isLast ? "Connection: close\r\n" : "")
        let response = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\(target)".utf8)
        _ = send(descriptor, response, response.count, Int32(MSG_NOSIGNAL))
        if isLast { end(descriptor, &clients) }
    }

    private static func end(_ descriptor: Int32, _ clients: inout [Int32: Client]) {
        clients[descriptor] = nil
        close(descriptor)
    }
}
