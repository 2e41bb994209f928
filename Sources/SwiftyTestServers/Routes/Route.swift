// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One line of a routing table: methods, a path and a handler.
struct Route: Sendable {
    typealias Immediate = @Sendable (RecordedRequest) throws -> LoopbackResponse

    /// Makes a response: synchronously on the connection's thread, or by a test's asynchronous code.
    enum Handler: Sendable {
        case immediate(Immediate)
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
    static func get(_ path: String, _ handler: @escaping Immediate) -> Route {
        Route(["GET"], path, .immediate(handler))
    }

    static func on(_ methods: String..., path: String, _ handler: @escaping Immediate) -> Route {
        Route(methods, path, .immediate(handler))
    }

    static func any(_ path: String, _ handler: @escaping Immediate) -> Route {
        Route(["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"], path, .immediate(handler))
    }
}

/// The path of a route: literal segments, variables as in `/users/{id}`, and optionally a final `*` for any rest.
struct PathPattern: Sendable, Equatable, CustomStringConvertible {
    private enum Segment: Equatable {
        case literal(String)
        case variable(String)
        case rest
    }

    private let segments: [Segment]

    init(_ text: String) {
        segments = text.split(separator: "/").map { part in
            if part == "*" { return .rest }
            if part.hasPrefix("{") && part.hasSuffix("}") { return .variable(String(part.dropFirst().dropLast())) }
            return .literal(String(part))
        }
    }

    /// The pattern as it is written.
    var description: String {
        segments.map { segment in
            switch segment {
            case .literal(let text): "/\(text)"
            case .variable(let name): "/{\(name)}"
            case .rest: "/*"
            }
        }.joined()
    }

    /// The number of literal segments: of two routes that match, the one with more wins.
    var literalCount: Int {
        segments.count {
            if case .literal = $0 { true } else { false }
        }
    }

    /// The decoded variables of a percent-encoded path; `nil` if it does not match.
    func match(_ path: String) -> [String: String]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var variables: [String: String] = [:]
        var rest = parts
        for segment in segments {
            guard let part = rest.first else { return nil }
            switch segment {
            case .literal(let text):
                guard Self.decoded(part) == text else { return nil }
            case .variable(let name):
                guard !part.isEmpty else { return nil }
                variables[name] = Self.decoded(part)
            case .rest:
                variables["*"] = rest.joined(separator: "/")
                return variables
            }
            rest = rest.dropFirst()
        }
        return rest.isEmpty || (segments.isEmpty && Array(rest) == [""]) ? variables : nil
    }

    private static func decoded(_ part: Substring) -> String {
        part.removingPercentEncoding ?? String(part)
    }
}
