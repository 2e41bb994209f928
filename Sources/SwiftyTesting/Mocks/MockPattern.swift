// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The requests that a mock answers.
///
///     .get("users/{user}/repos")
///     .get("users/{user}/repos").query(["sort": "pushed"])
///     .post("gists").json(["public": true])
///     .named("repositories")
///     .url("https://objects.example.com/{rest*}")
///
/// A pattern matches a request if all of its parts do.
public struct MockPattern: Sendable {
    /// The part of a pattern that identifies the request.
    enum Target: Sendable {
        /// A path below the base URL of the service, or from the root of its server.
        case path(MockPath)
        /// The name of the request, or of the function that describes it.
        case name(String)
        /// A whole URL without its query.
        case url(URLPattern)
        case anything
    }

    let target: Target
    /// `nil` for any method.
    let method: String?
    var query: [String: String?] = [:]
    var fields: [(name: String, value: String?)] = []
    var content: JSONValue?

    private init(_ target: Target, method: String? = nil) {
        (self.target, self.method) = (target, method)
    }

    /// A GET request to a path, in which `{name}` is any text without a slash.
    ///
    /// - Parameter path: The path as the service writes it, or from the root of the server.
    public static func get(_ path: String) -> MockPattern { request("GET", path) }

    /// A HEAD request to a path.
    public static func head(_ path: String) -> MockPattern { request("HEAD", path) }

    /// An OPTIONS request to a path.
    public static func options(_ path: String) -> MockPattern { request("OPTIONS", path) }

    /// A POST request to a path.
    public static func post(_ path: String) -> MockPattern { request("POST", path) }

    /// A PUT request to a path.
    public static func put(_ path: String) -> MockPattern { request("PUT", path) }

    /// A PATCH request to a path.
    public static func patch(_ path: String) -> MockPattern { request("PATCH", path) }

    /// A DELETE request to a path.
    public static func delete(_ path: String) -> MockPattern { request("DELETE", path) }

    /// A request with any method to a path.
    public static func request(_ method: String, _ path: String) -> MockPattern {
        MockPattern(.path(MockPath(path)), method: method)
    }

    /// A request to a path, whatever its method.
    public static func path(_ path: String) -> MockPattern {
        MockPattern(.path(MockPath(path)))
    }

    /// A request by its name: that of `.name(_:)`, or else of the function that describes it (`repositories` for
    /// `static func repositories(of:)`).
    public static func named(_ name: String) -> MockPattern {
        MockPattern(.name(name))
    }

    /// A request to a URL, even of another service: scheme, host, port and path are compared, the query is not.
    ///
    /// - Parameter url: The URL. In its path `{name}` is any text without a slash; a last segment `{name*}` is the rest
    ///   of the path.
    public static func url(_ url: String) -> MockPattern {
        MockPattern(.url(URLPattern(url)))
    }

    /// Every request.
    public static let any = MockPattern(.anything)

    /// Only requests with these query parameters, and possibly others.
    ///
    /// - Parameter query: The decoded values; `nil` for a parameter that must be absent.
    public func query(_ query: [String: String?]) -> MockPattern {
        with { $0.query.merge(query) { $1 } }
    }

    /// Only requests with a header field of this value.
    ///
    /// - Parameters:
    ///   - name: The name, in any case.
    ///   - value: The value; `nil` for any.
    public func header(_ name: String, _ value: String? = nil) -> MockPattern {
        with { $0.fields.append((name, value)) }
    }

    /// Only requests whose content is this JSON: the same value, however it is formatted.
    ///
    /// - Parameter value: A value that can be encoded. One that cannot never matches.
    public func json(_ value: some Encodable) -> MockPattern {
        with { $0.content = (try? JSONEncoder().encode(value)).map { JSONValue($0) } ?? .invalid }
    }

    /// Only requests whose content is this JSON, given as text.
    public func json(text: String) -> MockPattern {
        with { $0.content = JSONValue(Data(text.utf8)) }
    }

    private func with(_ change: (inout MockPattern) -> Void) -> MockPattern {
        var pattern = self
        change(&pattern)
        return pattern
    }
}

extension MockPattern: CustomStringConvertible {
    /// The pattern as it is written in code.
    public var description: String {
        var text =
            switch target {
            case .path(let path): ".\(method?.lowercased() ?? "path")(\"\(path.text)\")"
            case .name(let name): ".named(\"\(name)\")"
            case .url(let url): ".url(\"\(url.text)\")"
            case .anything: ".any"
            }
        if !query.isEmpty {
            let items = query.sorted { $0.key < $1.key }.map {
                "\"\($0.key)\": \(Self.shown($0.value, of: $0.key) ?? "nil")"
            }
            text += ".query([\(items.joined(separator: ", "))])"
        }
        for field in fields {
            text += ".header(\"\(field.name)\"\(Self.shown(field.value, of: field.name).map { ", \($0)" } ?? ""))"
        }
        if content != nil { text += ".json(…)" }
        return text
    }

    /// A value as written in code; hidden if its name is that of a secret.
    private static func shown(_ value: String?, of name: String) -> String? {
        value.map { "\"\(Redactor().value($0, of: name))\"" }
    }
}

/// A URL with variables in its path.
struct URLPattern: Sendable {
    let text: String
    private let origin: String
    /// The path, or the part of it before a variable that takes the rest.
    private let path: MockPath
    /// The name of a variable that takes the rest of the path; `nil` without one.
    private let restName: String?

    init(_ url: String) {
        text = url
        let rest = url.range(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let pathStart = rest.firstIndex(of: "/") ?? rest.endIndex
        origin = String(url[..<pathStart])
        let path = rest[pathStart...].prefix { $0 != "?" }
        let last = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
        restName = last.hasPrefix("{") && last.hasSuffix("*}") ? String(last.dropFirst().dropLast(2)) : nil
        self.path = MockPath(String(restName == nil ? path : path.dropLast(last.count)))
    }

    /// The values of the variables; `nil` for another URL.
    func values(in target: TargetURI) -> [String: String]? {
        // Both spellings of a default port are the same origin.
        guard (try? TargetURI(origin))?.origin == target.origin else { return nil }
        guard let restName else { return path.values(in: target.path) }
        let segments = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let count = path.segmentCount, segments.count > count else { return nil }
        let rest = segments.dropFirst(count)
        var values = count == 0 ? [:] : path.values(in: segments.prefix(count).joined(separator: "/"))
        values?[restName] = rest.joined(separator: "/")
        return values
    }
}
