// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An HTTP/1.1 server inside the test process, with httpbin's most used routes and those that a test adds.
///
/// ```swift
/// let server = try LoopbackServer { server in
///     server.route("GET", "/users/{id}") { .json(["id": $0.pathVariables["id"]]) }
/// }
/// // … send requests to server.url …
/// #expect(server.log.count(path: "/users/7") == 1)
/// await server.stop()
/// ```
///
/// It listens on a free port of 127.0.0.1 as soon as it exists, and stops with ``stop()`` or when it is released. It is
/// strict about what it receives (a request that breaks RFC 9112, or a TLS handshake, gets a 400 and the connection
/// ends) and correct in what it sends, unless a route or ``failNext(_:count:path:)`` asks for a fault. A
/// ``ScriptedServer`` sends what a test writes byte by byte. Connections and handlers run on threads of the server, not
/// on the cooperative pool: a client that blocks the pool does not stop the server.
public final class LoopbackServer: Sendable {
    private let listener: LoopbackListener
    private let router = Router(builtIn: HttpbinRoutes.all)
    private let scheme: String
    let conditions = ServerConditions()

    /// The requests that have been received.
    public let log = RequestLog()

    /// Listens, with the built-in routes and those that `configure` adds.
    ///
    /// - Parameters:
    ///   - port: The port, 0 for a free one.
    ///   - tls: The certificate and the other settings of TLS, made by a ``TestAuthority``; `nil` for a server without
    ///     TLS.
    ///   - configure: Adds routes; ``route(_:_:_:)`` can also be called later.
    /// - Throws: The failed system call if the port cannot be opened; ``ServerTLS/UnavailableError``.
    public init(port: UInt16 = 0, tls: ServerTLS? = nil, configure: (LoopbackServer) -> Void = { _ in }) throws {
        listener = try LoopbackListener(port: port)
        scheme = tls == nil ? "http" : "https"
        configure(self)
        // Starts last, because a client may already wait for the port.
        try listener.serve(tls: tls, conditions: conditions) { [router, log, conditions] number, socket in
            var connection = LoopbackConnection(
                number: number,
                socket: socket,
                router,
                log: log,
                conditions: conditions
            )
            connection.serve()
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

    /// The largest content of a request that the server reads, in bytes: 256 MiB at first. A request with more gets a
    /// 413, and its connection ends.
    public var maximumContentBytes: Int {
        get { conditions.maximumContentBytes }
        set { conditions.maximumContentBytes = newValue }
    }

    /// Adds a route, before or while requests come in; it wins over the built-in routes.
    ///
    /// `path` may have variables and end in a wildcard: `/users/{id}/files/*`. Among added routes the one with more
    /// literal segments wins, then the newer one. The method `*` stands for all methods; a `GET` route also serves
    /// `HEAD`. An error that the handler throws becomes a 500 with the error's description. The handler's task is
    /// cancelled if the client leaves or the server stops before the handler has ended.
    public func route(
        _ method: String,
        _ path: String,
        _ handler: @escaping @Sendable (RecordedRequest) async throws -> LoopbackResponse
    ) {
        router.add(Route(method == "*" ? [] : [method], path, .asynchronous(handler)))
    }

    /// Serves a resource at a path, before or while requests come in; see ``Endpoint``. It wins over what was there.
    public func serve(_ path: String, _ endpoint: Endpoint) {
        router.remove(path)
        router.add(Route(["GET"], path, .immediate { endpoint.response(to: $0) }))
    }

    /// Redirects all requests to a path.
    public func redirect(_ path: String, to location: String, status: Int = 302) {
        router.remove(path)
        router.add(Route([], path, .immediate { _ in .status(status).header("Location", location) }))
    }

    /// Removes the routes that were added with this path; built-in ones stay.
    public func remove(_ path: String) {
        router.remove(path)
    }

    /// The next request that no earlier call has returned, waiting for it if necessary.
    ///
    /// A request is available when its content is complete, before its handler runs. It stays in the ``log``.
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
