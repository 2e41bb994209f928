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

extension RawServer {
    /// One step of what a `RawServer` does on a connection.
    ///
    /// A step that needs the peer, when the peer is gone, ends the script. So does one that reads a head, when the peer begins
    /// a TLS handshake.
    public enum Step: Sendable, Equatable {
        /// Reads one request, head and body, and records it. The body ends where `Content-Length` or the last chunk
        /// says so; a request with neither has none. `Expect: 100-continue` is not answered: use `readHead`.
        case readRequest

        /// Reads and records only the head of a request.
        case readHead

        /// Reads the body of the request whose head was read by `readHead`, and adds it to the record.
        case readBody

        /// Reads this number of bytes and drops them, or fewer if the peer ends its stream.
        case skip(Int)

        /// Sends these bytes exactly, as a segment of their own.
        case send([UInt8])

        /// Does nothing for this long; the connection stays open and nothing is read.
        case pause(Duration)

        /// Ends the connection properly: FIN after all that was sent, then a second at most to let the peer finish
        /// what it is sending, so that unread bytes do not turn the FIN into a reset.
        case close

        /// Ends the connection with RST; what the peer has not read yet may be lost.
        case reset

        /// Sends FIN and goes on with the script, which may still read.
        case halfClose

        /// Keeps the connection open and neither sends nor reads, until the peer leaves or the server stops.
        case stall

        /// Sends a text as UTF-8, unchanged: line ends must be written as `\r\n`.
        public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }

        /// Sends a complete HTTP/1.1 response with a `Content-Length`.
        ///
        /// `fields` are written in the given order, before `Content-Length`.
        public static func respond(_ status: Int = 200, _ fields: [(String, String)] = [], body: String = "") -> Step {
            var text = "HTTP/1.1 \(status) Scripted\r\n"
            for (name, value) in fields { text += "\(name): \(value)\r\n" }
            return .send("\(text)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }
}
