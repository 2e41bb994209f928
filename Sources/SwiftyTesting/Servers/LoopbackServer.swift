// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An HTTP/1.1 server inside the test process, with httpbin's most used routes and those that a test adds.
///
/// ```swift
/// let server = try await LoopbackServer.start()
/// server.route("GET", "/users/{id}") { .json(["id": $0.pathVariables["id"]]) }
/// // … send requests to server.url …
/// #expect(server.log.count(path: "/users/7") == 1)
/// await server.stop()
/// ```
///
/// It listens on a free port of 127.0.0.1 as soon as it exists, and stops with `stop()` or when it is released. It is
/// strict about what it receives (a request that breaks RFC 9112, or a TLS handshake, gets a 400 and the connection ends)
/// and correct in what it sends; for broken answers there is `RawServer`. Connections and handlers run on
/// threads of the server, not on the cooperative pool: a client that blocks the pool does not stop the server.
public final class LoopbackServer: Sendable {
    private let listener: LoopbackListener
    private let router: Router

    /// What has been received so far.
    public let log: RequestLog

    /// Listens, with the built-in routes.
    ///
    /// Throws the failed system call if no port can be opened.
    ///
    /// - Parameter port: The port, 0 for a free one.
    public init(port: UInt16 = 0) throws {
        let router = Router(builtIn: HttpbinRoutes.all)
        let log = RequestLog()
        listener = try LoopbackListener(port: port) { number, socket in
            var connection = LoopbackConnection(number: number, socket: socket, router: router, log: log)
            connection.serve()
        }
        self.router = router
        self.log = log
    }

    deinit {
        listener.stop()
    }

    /// A server that listens, after `configure` has added its routes.
    ///
    /// Throws the failed system call if no port can be opened.
    public static func start(_ configure: (LoopbackServer) -> Void = { _ in }) async throws -> LoopbackServer {
        let server = try LoopbackServer()
        configure(server)
        return server
    }

    /// The port on 127.0.0.1.
    public var port: Int { listener.port }

    /// The address to send requests to: `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { listener.connectionCount }

    /// How many connections are open now.
    public var openConnectionCount: Int { listener.openConnectionCount }

    /// Adds a route, before or while requests come in; it wins over the built-in routes.
    ///
    /// `path` may have variables and end in a wildcard: `/users/{id}/files/*`. Among added routes the one with more
    /// literal segments wins, then the newer one. The method `*` stands for all methods; a `GET` route answers `HEAD`
    /// too. What the handler throws becomes a 500 with the error's description. The handler's task is cancelled when
    /// the client leaves or the server stops first.
    public func route(
        _ method: String,
        _ path: String,
        _ handler: @escaping @Sendable (RecordedRequest) async throws -> LoopbackResponse
    ) {
        router.add(Route(method == "*" ? [] : [method], path, .asynchronous(handler)))
    }

    /// Ends all connections and refuses new ones. When it returns, nothing listens on the port any more.
    public func stop() async {
        listener.stop()
    }
}
