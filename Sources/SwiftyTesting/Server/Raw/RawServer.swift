// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A server that follows a script byte by byte, for the answers that no proper server gives: truncated, malformed,
/// dripping, reset in the middle.
///
/// ```swift
/// let server = try RawServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close])
/// ```
///
/// It listens on a free port of 127.0.0.1 as soon as it exists. Every connection has a thread of its own, which runs
/// the script from its beginning; a script with several `readRequest` steps serves a kept-alive connection. After the
/// last step the connection is closed properly. The server stops with `stop()` or when it is released.
public final class RawServer: Sendable {
    private let listener: LoopbackListener
    private let log: RawRequestLog

    /// Listens, and runs the same script on every connection.
    ///
    /// Throws the failed system call if no port can be opened.
    public convenience init(_ script: [Step]) throws {
        try self.init(perConnection: { _ in script })
    }

    /// Listens, and asks for the script of each connection: 0 for the first, 1 for the second, and so on.
    ///
    /// `perConnection` is called on the thread of the connection. Throws the failed system call if no port can be
    /// opened.
    public init(perConnection: @escaping @Sendable (_ connection: Int) -> [Step]) throws {
        let log = RawRequestLog()
        listener = try LoopbackListener { number, socket in
            var connection = RawConnection(number: number, socket: socket, log: log)
            connection.run(perConnection(number))
        }
        self.log = log
    }

    deinit {
        stop()
    }

    /// The port on 127.0.0.1.
    public var port: Int { listener.port }

    /// The address to send requests to: `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { listener.connectionCount }

    /// How many connections are open now.
    public var openConnectionCount: Int { listener.openConnectionCount }

    /// Every request whose head has been read, in the order of arrival.
    public var requests: [RawRequest] { log.requests }

    /// Ends all connections and refuses new ones. When it returns, nothing listens on the port any more.
    public func stop() {
        listener.stop()
    }
}
