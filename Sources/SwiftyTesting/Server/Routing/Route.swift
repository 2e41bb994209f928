// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One line of a routing table: methods, a path, and what answers there.
struct Route: Sendable {
    /// How an answer is made: at once, on the connection's thread, or by asynchronous code of the author.
    enum Handler: Sendable {
        case immediate(@Sendable (RecordedRequest) throws -> LoopbackResponse)
        case asynchronous(@Sendable (RecordedRequest) async throws -> LoopbackResponse)
    }

    /// The methods; empty for any.
    let methods: [String]
    let pattern: PathPattern
    let handler: Handler

    init(_ methods: [String], _ path: String, _ handler: Handler) {
        self.methods = methods
        pattern = PathPattern(path)
        self.handler = handler
    }

    func allows(_ method: String) -> Bool {
        methods.isEmpty || methods.contains(method)
    }
}

extension Route {
    static func get(
        _ path: String,
        _ handler: @escaping @Sendable (RecordedRequest) throws -> LoopbackResponse
    ) -> Route {
        Route(["GET"], path, .immediate(handler))
    }

    static func on(
        _ methods: String...,
        path: String,
        _ handler: @escaping @Sendable (RecordedRequest) throws -> LoopbackResponse
    ) -> Route {
        Route(methods, path, .immediate(handler))
    }

    static func any(
        _ path: String,
        _ handler: @escaping @Sendable (RecordedRequest) throws -> LoopbackResponse
    ) -> Route {
        Route(["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"], path, .immediate(handler))
    }
}
