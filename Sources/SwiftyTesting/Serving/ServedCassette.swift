// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Swifty
import SwiftySupport

/// The answers of a cassette, each once and in the recorded order, whatever server they were recorded from.
package final class ServedCassette: ServedAnswers {
    private let session: CassetteSession
    /// The servers of the recorded requests: scheme, host and port.
    private let origins: Set<String>
    /// What was left out of the file, in one line; `nil` if nothing was.
    package let skippingNote: String?

    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a file that does not exist, is damaged or of another version.
    package init(contentsOf path: String) throws(SwiftyError) {
        let cassette = try Cassette(contentsOf: path)
        skippingNote = cassette.skippingNote
        origins = Set(cassette.entries.map { Self.split($0.request.url).origin })
        let localEntries = cassette.entries.map { entry in
            var entry = entry
            entry.request.url = Self.split(entry.request.url).reference
            return entry
        }
        session = CassetteSession(
            Cassette(path: path, entries: localEntries),
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
        let answer = try entry.mockResponse(path: session.path)
        guard case .response(let head, let content) = answer.outcome else { return .answer(answer) }
        return .answer(MockResponse(.response(localized(head), content: content)))
    }

    private func key(of request: ServedRequest) -> CassetteSession.Key {
        let stored = HARRequest(
            method: request.method,
            url: Self.split(request.target).reference,
            headers: request.headers.map { HARPair(name: $0.name, value: $0.value) },
            queryString: request.queryItems.map { HARPair(name: $0.name, value: $0.value) },
            postData: HARRequest.content(request.content, type: request.contentType, codings: request.contentCodings),
            bodySize: request.content.count
        )
        return session.key(of: stored)
    }

    /// The head, with redirects to recorded servers changed to redirects to this one.
    private func localized(_ head: ResponseHead) -> ResponseHead {
        guard let location = head["Location"] else { return head }
        let target = Self.split(location)
        guard origins.contains(target.origin) else { return head }
        var fields = head.headers
        fields[.location] = target.reference
        return ResponseHead(
            statusCode: head.statusCode,
            reasonPhrase: head.reasonPhrase,
            httpVersion: head.httpVersion,
            headers: fields
        )
    }

    /// The server of a URL, and the rest as a request target, without a fragment. A relative reference is returned
    /// unchanged, with an empty origin.
    private static func split(_ url: String) -> (origin: String, reference: String) {
        // The query of a relative reference may contain a URL.
        guard let mark = url.firstRange(of: "://"), !url.hasPrefix("/") else { return ("", url) }
        let end = url[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let rest = url[end...].prefix { $0 != "#" }
        return (url[..<end].lowercased(), rest.hasPrefix("/") ? String(rest) : "/\(rest)")
    }
}
