// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Listens on a port of 127.0.0.1, a free one unless given, or on a Unix domain socket, and serves each connection on
/// its own thread.
///
/// Threads, not tasks: a server that shared the cooperative pool with the client under test would stop when the client
/// blocks the pool, and hide or invent the very faults that a test looks for.
final class LoopbackListener: Sendable {
    /// Serves a connection, on its thread; the descriptor is closed when it returns.
    typealias Service = @Sendable (_ connection: Int, _ socket: StreamSocket) -> Void

    private let listener: StreamSocket
    private let waker: Waker
    private let connections = OpenConnections()
    private let acceptThread = DispatchGroup()

    /// 0 for a Unix domain socket.
    let port: Int

    /// Listens. Connections wait until ``serve(_:)`` is called.
    convenience init(port: UInt16 = 0) throws {
        try self.init(.listening(port: port)) { try $0.localPort() }
    }

    /// Listens at a path of a Unix domain socket, which must not exist and stays when the listener stops.
    convenience init(path: String) throws {
        try self.init(.listening(path: path)) { _ in 0 }
    }

    private init(_ listener: StreamSocket, port: (StreamSocket) throws -> Int) throws {
        do {
            self.port = try port(listener)
            waker = try Waker()
        } catch {
            listener.close()
            throw error
        }
        self.listener = listener
    }

    deinit {
        guard connections.stop() else { return }
        waker.wake()
        acceptThread.wait()
        closeDescriptors()
    }

    /// The number of connections accepted so far.
    var connectionCount: Int { connections.accepted }

    /// The number of connections that are open now.
    var openConnectionCount: Int { connections.open }

    /// Ends all connections and refuses new ones. When it returns, nothing listens on the port any more.
    func stop() async {
        guard connections.stop() else { return }
        waker.wake()
        await withCheckedContinuation { continuation in
            acceptThread.notify(queue: .global()) { continuation.resume() }
        }
        closeDescriptors()
    }

    private func closeDescriptors() {
        listener.close()
        waker.close()
    }

    /// Serves connections, including those that wait. Called once.
    func serve(_ service: @escaping Service) {
        let (listener, waker, connections, acceptThread) = (listener, waker, connections, acceptThread)
        acceptThread.enter()
        // The thread must not keep `self` alive, or a server would never be released and stopped.
        Thread.detachNewThread {
            while listener.waitForConnection(unless: waker) {
                Self.acceptOne(listener, connections: connections, service: service)
            }
            acceptThread.leave()
        }
    }

    private static func acceptOne(
        _ listener: StreamSocket,
        connections: OpenConnections,
        service: @escaping Service
    ) {
        guard let socket = listener.acceptConnection() else {
            // Most likely out of descriptors. The connection stays in the backlog, so do not spin.
            Thread.sleep(forTimeInterval: 0.01)
            return
        }
        guard let number = connections.add(socket) else { return socket.close() }
        Thread.detachNewThread {
            service(number, socket)
            connections.remove(number)
            socket.close()
        }
    }
}

/// The open connections of a listener, which can be ended from another thread.
private final class OpenConnections: Sendable {
    private struct State {
        var accepted = 0
        var open: [Int: StreamSocket] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    var accepted: Int { state.withLock { $0.accepted } }
    var open: Int { state.withLock { $0.open.count } }

    /// Adds a connection and returns its number; `nil` if the listener has been stopped.
    func add(_ socket: StreamSocket) -> Int? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            defer { state.accepted += 1 }
            state.open[state.accepted] = socket
            return state.accepted
        }
    }

    /// Removes a connection, whose thread closes the descriptor next.
    func remove(_ connection: Int) {
        state.withLock { state in _ = state.open.removeValue(forKey: connection) }
    }

    /// Ends all connections and admits no more; `false` if that was done before.
    func stop() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.isStopped = true
            // Under the lock: a connection leaves `open` before its descriptor is closed and perhaps reused.
            for socket in state.open.values { socket.shutDown() }
            return true
        }
    }
}
