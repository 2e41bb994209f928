// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Swifty
import SwiftySupport

/// The answers of a cassette, each once and in the recorded order, whatever server they were recorded from.
package final class ServedCassette: ServedAnswers {
    private let session: CassetteSession
    /// What was left out of the file, in one line; `nil` if nothing was.
    package let skippingNote: String?

    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a file that does not exist, is damaged or of another version.
    package init(contentsOf path: String) throws(SwiftyError) {
        let cassette = try Cassette(contentsOf: path)
        skippingNote = cassette.skippingNote
        let origins = Set(cassette.entries.compactMap { try? TargetURI($0.request.url).origin })
        session = CassetteSession(
            Cassette(path: path, entries: cassette.entries.map { $0.localized(origins) }),
            path: path,
            mode: .none,
            redaction: CassetteRedaction()
        )
    }

    package func answer(to request: ServedRequest) async throws(SwiftyError) -> ServedAnswer {
        let key = key(of: request)
        guard let entry = session.take(key) else {
            return .missing(session.missing(key, advice: "each answer is served once, in the recorded order").reason)
        }
        return .answer(try entry.mockResponse(path: session.path))
    }

    private func key(of request: ServedRequest) -> CassetteSession.Key {
        let stored = HARRequest(
            method: request.method,
            url: HAREntry.target(of: request.target),
            headers: request.headers.map { HARPair(name: $0.name, value: $0.value) },
            queryString: request.queryItems.map { HARPair(name: $0.name, value: $0.value) },
            postData: HARRequest.content(request.content, type: request.contentType, codings: request.contentCodings),
            bodySize: request.content.count
        )
        return session.key(of: stored)
    }
}

extension HAREntry {
    /// The entry as that of a server which stands for all recorded ones: with the request target in place of the URL,
    /// and with redirects to those servers changed to redirects to this one.
    ///
    /// - Parameter origins: The recorded servers.
    fileprivate func localized(_ origins: Set<String>) -> HAREntry {
        var entry = self
        entry.request.url = Self.target(of: request.url)
        entry.response.headers = response.headers.map { pair in
            guard pair.name.lowercased() == "location" else { return pair }
            return HARPair(name: pair.name, value: localReference(pair.value, origins))
        }
        return entry
    }

    /// A reference to a recorded server, without that server. Any other one is returned unchanged.
    private func localReference(_ location: String, _ origins: Set<String>) -> String {
        guard URIReference(location).authority != nil, let base = try? TargetURI(request.url),
            let (target, fragment) = try? TargetURI.resolve(location.utf8, against: base),
            origins.contains(target.origin)
        else { return location }
        // After two slashes, a client would look for the name of another server (RFC 3986 §4.2).
        let path = target.path.hasPrefix("//") ? "/.\(target.path)" : target.path.isEmpty ? "/" : target.path
        return path + (target.query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "")
    }

    /// The path and the query of a URL. Any other request target is returned unchanged.
    fileprivate static func target(of url: String) -> String {
        let parts = URIReference(url)
        // A path may begin with two slashes; in a request target, no server follows them.
        guard !url.hasPrefix("/"), parts.authority != nil else { return url }
        return (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?\($0)" } ?? "")
    }
}
