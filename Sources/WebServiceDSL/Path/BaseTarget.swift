// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// A parsed base URL, which paths are joined to.
final class BaseTarget: Sendable {
    /// The base URLs that were parsed before, kept because a ``WebService`` passes its own with every request.
    private static let known = Mutex<[String: BaseTarget]>([:])
    /// The number of base URLs after which all are dropped. Only a program that computes them reaches it.
    private static let capacity = 100

    /// The target of a base URL, which is parsed the first time and then kept.
    ///
    /// - Throws: ``TargetURI/ValidationError`` if the text is not an absolute `http` or `https` URL.
    static func target(of baseURL: String) throws(TargetURI.ValidationError) -> BaseTarget {
        if let target = known.withLock({ $0[baseURL] }) { return target }
        let target = BaseTarget(try TargetURI(baseURL))
        known.withLock { known in
            if known.count == capacity { known.removeAll(keepingCapacity: true) }
            known[baseURL] = target
        }
        return target
    }

    let target: TargetURI
    /// The base path, ending with a slash.
    private let directory: String

    init(_ target: TargetURI) {
        self.target = target
        directory = target.path.utf8.last == UInt8(ascii: "/") ? target.path : target.path + "/"
    }

    /// The target with this path and query added. Characters that are illegal in them are percent-encoded.
    func joining(path: String, query: String) -> TargetURI {
        joining(
            encodedPath: PercentEncoding.encodeIllegal(in: path, allowed: .path),
            encodedQuery: PercentEncoding.encodeIllegal(in: query, allowed: .query)
        )
    }

    /// The same for a path and a query that contain only legal characters.
    func joining(encodedPath: String, encodedQuery: String) -> TargetURI {
        target.replacing(encodedPath: join(encodedPath), encodedQuery: join(query: encodedQuery))
    }

    /// The part of a path after the base path; `nil` if it does not begin with the base path.
    func relativePath(of path: String) -> Substring? {
        if path.hasPrefix(directory) { return path.dropFirst(directory.count) }
        return path == target.path ? "" : nil
    }

    /// The base path and this one, with one slash between them.
    private func join(_ path: String) -> String {
        if path.isEmpty { return target.path }
        guard path.utf8.first == UInt8(ascii: "/") else { return directory + path }
        var joined = directory
        joined.append(contentsOf: Substring(path.utf8.dropFirst()))
        return joined
    }

    private func join(query: String) -> String? {
        if query.isEmpty { return target.query }
        guard let base = target.query, !base.isEmpty else { return query }
        return "\(base)&\(query)"
    }
}
