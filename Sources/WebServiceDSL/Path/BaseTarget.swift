// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// A base URL, with what every path that is joined to it needs.
final class BaseTarget: Sendable {
    /// The targets of base URLs that were parsed before: a ``WebService`` names its own with every request.
    private static let known = Mutex<[String: BaseTarget]>([:])
    /// More base URLs than this are those of a program that computes them.
    private static let capacity = 100

    /// The target of a base URL, which is parsed the first time.
    ///
    /// - Throws: ``TargetURI/ValidationError`` if the text is no absolute `http` or `https` URL.
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
    /// The base path with one slash at its end.
    private let directory: String

    init(_ target: TargetURI) {
        self.target = target
        directory = target.path.utf8.last == UInt8(ascii: "/") ? target.path : target.path + "/"
    }

    /// The target below this one. What may not stand in a path or a query is percent-encoded.
    func joining(path: String, query: String) -> TargetURI {
        joining(
            encodedPath: PercentEncoding.encodeIllegal(in: path, allowed: .path),
            encodedQuery: PercentEncoding.encodeIllegal(in: query, allowed: .query)
        )
    }

    /// The same for parts that are known to hold only what may stand in them.
    func joining(encodedPath: String, encodedQuery: String) -> TargetURI {
        target.replacing(encodedPath: join(encodedPath), encodedQuery: join(query: encodedQuery))
    }

    /// With one slash between the two.
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
