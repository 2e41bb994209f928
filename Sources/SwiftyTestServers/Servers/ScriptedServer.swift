// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A server that follows a script byte by byte, for responses that no correct server sends: truncated, malformed,
/// dripping, reset in the middle.
///
/// ```swift
/// let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close])
/// // … send a request to server.url …
/// #expect(server.log.requests.map(\.target) == ["/"])
/// await server.stop()
/// ```
///
/// It listens on a free port of 127.0.0.1 as soon as it exists, and stops with ``stop()`` or when it is released. Every
/// connection has its own thread, which runs the script from its beginning; a script with several `readRequest` steps
/// serves a kept-alive connection. After the last step the connection is closed properly.
public final class ScriptedServer: Sendable {
    private let listener: LoopbackListener
    private let scheme: String

    /// The requests whose heads have been read.
    public let log = RequestLog()

    /// Listens, and runs the same script on every connection.
    ///
    /// - Parameter tls: As in ``init(tls:perConnection:)``.
    /// - Throws: The failed system call if no port can be opened; ``ServerTLS/UnavailableError``.
    public convenience init(_ script: [Step], tls: ServerTLS? = nil) throws {
        try self.init(tls: tls, perConnection: { _ in script })
    }

    /// Listens, and runs a separate script on each connection.
    ///
    /// - Parameters:
    ///   - tls: The certificate and the other settings of TLS, made by a ``TestAuthority``; `nil` for a server without
    ///     TLS.
    ///   - perConnection: Makes the script of a connection: 0 for the first, 1 for the second, and so on. Called on the
    ///     thread of the connection.
    /// - Throws: The failed system call if no port can be opened; ``ServerTLS/UnavailableError``.
    public init(tls: ServerTLS? = nil, perConnection: @escaping @Sendable (_ connection: Int) -> [Step]) throws {
        listener = try LoopbackListener()
        scheme = tls == nil ? "http" : "https"
        try listener.serve(tls: tls) { [log] number, socket in
            var connection = ScriptedConnection(number: number, socket: socket, log: log)
            connection.run(perConnection(number))
        }
    }

    /// Listens at the path of a Unix domain socket, which must not exist.
    package init(path: String, _ script: [Step]) throws {
        listener = try LoopbackListener(path: path)
        scheme = "http"
        listener.serve { [log] number, socket in
            var connection = ScriptedConnection(number: number, socket: socket, log: log)
            connection.run(script)
        }
    }

    /// The port on 127.0.0.1.
    public var port: Int { listener.port }

    /// The base URL of the server: `http://127.0.0.1:PORT`, or with `https`.
    public var url: String { "\(scheme)://127.0.0.1:\(port)" }

    /// The number of connections accepted so far.
    public var connectionCount: Int { listener.connectionCount }

    /// The number of connections that are open now.
    public var openConnectionCount: Int { listener.openConnectionCount }

    /// The next request that no earlier call has returned, waiting for it if necessary.
    ///
    /// A request is available when the step that reads it has ended. It stays in the ``log``.
    ///
    /// - Throws: ``RequestLog/TimeoutError`` if none arrives in time, and `CancellationError` if the task is cancelled.
    public func takeRequest(timeout: Duration = .seconds(10)) async throws -> RecordedRequest {
        try await log.takeRequest(timeout: timeout)
    }

    /// Ends all connections and refuses new ones. When it returns, nothing listens on the port any more.
    public func stop() async {
        await listener.stop()
    }
}

extension ScriptedServer {
    /// One step of the script of a connection.
    ///
    /// A step that needs the peer ends the script if the peer has left. A step that reads a head also ends it if the
    /// peer begins a TLS handshake.
    public enum Step: Sendable, Equatable {
        /// Reads one request, head and content, and records it. The content ends where `Content-Length` or the last
        /// chunk says so; a request with neither has none. `Expect: 100-continue` gets no response: use `readHead`.
        case readRequest

        /// Reads and records only the head of a request.
        case readHead

        /// Reads the content of the request whose head was read by `readHead`, and adds it to the record.
        case readContent

        /// Reads this number of bytes and drops them, or fewer if the peer ends its stream.
        case skip(Int)

        /// Sends exactly these bytes, as a separate segment.
        case send([UInt8])

        /// Waits for this duration; the connection stays open and nothing is read.
        case pause(Duration)

        /// Closes the connection properly: FIN after everything that was sent, then up to a second in which the peer
        /// can finish sending, so that unread bytes do not turn the FIN into a reset.
        case close

        /// Resets the connection (RST); what the peer has not read yet may be lost.
        case reset

        /// Sends FIN and continues the script, which may still read.
        case halfClose

        /// Keeps the connection open and neither sends nor reads, until the peer leaves or the server stops.
        case stall

        /// Sends a string as UTF-8, unchanged: line ends must be written as `\r\n`.
        public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }

        /// Sends a complete HTTP/1.1 response with a `Content-Length`.
        ///
        /// `fields` are written in the given order, before `Content-Length`.
        public static func respond(_ status: Int = 200, _ fields: [(String, String)] = [], content: String = "") -> Step
        {
            var text = "HTTP/1.1 \(status) Scripted\r\n"
            for (name, value) in fields { text += "\(name): \(value)\r\n" }
            return .send("\(text)Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
        }
    }
}
