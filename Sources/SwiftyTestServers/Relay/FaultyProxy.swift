// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A TCP proxy in front of any server, whose path can be cut, stalled, slowed and delayed by a test.
///
///     let proxy = try FaultyProxy(to: server.port)
///     // … send requests to proxy.url …
///     proxy.setPath(.down, FaultyProxy.Path(bytesPerSecond: 1_000))
///     proxy.resetConnections()
///
/// It knows nothing of HTTP or TLS and changes no byte. It listens on a free port of 127.0.0.1 as soon as it exists,
/// and stops with ``stop()`` or when it is released. All methods may be called from any thread.
public final class FaultyProxy: Sendable {
    /// A direction.
    public enum Direction: Sendable, CaseIterable {
        /// From the client to the server.
        case up
        /// From the server to the client.
        case down
    }

    /// The conditions of one direction.
    public struct Path: Sendable {
        /// A fault after a number of bytes.
        struct Fault: Sendable {
            let bytes: Int
            let resets: Bool
        }

        /// The rate; `nil` does not limit it.
        public var bytesPerSecond: Int?
        /// The additional delay of each byte; it may arrive up to 5 milliseconds later.
        public var latency: Duration
        /// Whether nothing passes.
        public var isStalled: Bool
        var fault: Fault?

        /// Makes conditions; by default everything passes immediately.
        public init(bytesPerSecond: Int? = nil, latency: Duration = .zero, isStalled: Bool = false) {
            self.bytesPerSecond = bytesPerSecond
            self.latency = latency
            self.isStalled = isStalled
        }

        /// Everything passes until this number of bytes of a connection; then it ends: with RST or with FIN.
        public static func ending(after bytes: Int, byReset resets: Bool = false) -> Path {
            var path = Path()
            path.fault = Fault(bytes: max(0, bytes), resets: resets)
            return path
        }
    }

    private let listener: LoopbackListener
    private let links = OpenLinks()

    /// Listens, and forwards each connection to a port of 127.0.0.1.
    ///
    /// - Throws: The failed system call if no port can be opened.
    public init(to port: Int) throws {
        listener = try LoopbackListener()
        listener.serve { [links] number, client in Self.serve(number, client: client, port: port, links: links) }
    }

    /// The port on 127.0.0.1.
    public var port: Int { listener.port }

    /// The base URL of the server behind the proxy, over this proxy: `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The number of connections accepted so far.
    public var connectionCount: Int { listener.connectionCount }

    /// The number of connections that are open now.
    public var openConnectionCount: Int { listener.openConnectionCount }

    /// The number of bytes that all connections have carried in a direction.
    public func byteCount(_ direction: Direction) -> Int { links.carried(direction) }

    /// Sets the conditions of a direction, for open and future connections.
    public func setPath(_ direction: Direction, _ path: Path) {
        links.set(direction, path)
    }

    /// Whether new connections are closed immediately, as if the server did not run; `false` at first.
    public var refusesConnections: Bool {
        get { links.refuses }
        set { links.refuses = newValue }
    }

    /// Sends FIN to both sides of all connections.
    public func closeConnections() {
        links.end(by: .close)
    }

    /// Sends RST to both sides of all connections.
    public func resetConnections() {
        links.end(by: .reset)
    }

    /// Ends all connections and refuses new ones. When it returns, nothing listens on the port any more.
    public func stop() async {
        links.end(by: .reset)
        await listener.stop()
    }

    private static func serve(_ number: Int, client: StreamSocket, port: Int, links: OpenLinks) {
        guard let link = links.open(number), let server = try? StreamSocket.connected(to: port) else {
            client.resetOnClose()
            return
        }
        defer { links.close(number) }
        var relay = Relay(PlainEnd(socket: client), PlainEnd(socket: server), link: link)
        relay.run()
        server.close()
    }
}

/// The links of the open connections, and the conditions of future ones.
private final class OpenLinks: Sendable {
    private struct State {
        var open: [Int: Link] = [:]
        var paths: [FaultyProxy.Direction: FaultyProxy.Path] = [:]
        var carried: [FaultyProxy.Direction: Int] = [:]
        var refuses = false
    }

    private let state = Mutex(State())

    var refuses: Bool {
        get { state.withLock { $0.refuses } }
        set { state.withLock { $0.refuses = newValue } }
    }

    /// The link of a new connection; `nil` if it is refused.
    func open(_ number: Int) -> Link? {
        state.withLock { state in
            if state.refuses { return nil }
            let link = Link()
            for (direction, path) in state.paths { link.conditions(direction).apply(path) }
            state.open[number] = link
            return link
        }
    }

    func close(_ number: Int) {
        state.withLock { state in
            guard let link = state.open.removeValue(forKey: number) else { return }
            for direction in FaultyProxy.Direction.allCases {
                state.carried[direction, default: 0] += link.conditions(direction).carried
            }
        }
    }

    func carried(_ direction: FaultyProxy.Direction) -> Int {
        state.withLock { state in
            state.open.values.reduce(state.carried[direction, default: 0]) { $0 + $1.conditions(direction).carried }
        }
    }

    func set(_ direction: FaultyProxy.Direction, _ path: FaultyProxy.Path) {
        state.withLock { state in
            state.paths[direction] = path
            for link in state.open.values { link.conditions(direction).apply(path) }
        }
    }

    func end(by fault: Link.Fault) {
        state.withLock { state in
            for link in state.open.values { link.fault = fault }
        }
    }
}

extension Link {
    fileprivate func conditions(_ direction: FaultyProxy.Direction) -> Conditions {
        direction == .up ? outward : inward
    }
}
