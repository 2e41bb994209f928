// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Routes about validators, freshness and header fields of the response.
enum CachingRoutes {
    /// 304 to any conditional request, otherwise a response with validators.
    @Sendable static func cache(_ request: RecordedRequest) -> LoopbackResponse {
        guard request["If-None-Match"] == nil, request["If-Modified-Since"] == nil else { return .status(304) }
        return EchoRoutes.withoutBody(request)
            .header("Last-Modified", HTTPDate.now)
            .header("ETag", "\"\(UUID().uuidString.lowercased())\"")
    }

    @Sendable static func cacheFor(_ request: RecordedRequest) throws -> LoopbackResponse {
        let seconds = try request.number("seconds", in: 0...Int(Int32.max))
        return EchoRoutes.withoutBody(request).header("Cache-Control", "public, max-age=\(seconds)")
    }

    /// 304 if `If-None-Match` has the tag, 412 if `If-Match` does not have it.
    @Sendable static func entityTag(_ request: RecordedRequest) -> LoopbackResponse {
        let tag = request.variable("etag")
        // If-Match is evaluated first (RFC 9110 §13.2.2).
        if let matches = request.entityTags("If-Match"), !matches.contains(tag), !matches.contains("*") {
            return .status(412)
        }
        if let matches = request.entityTags("If-None-Match"), matches.contains(tag) || matches.contains("*") {
            return .status(304).header("ETag", "\"\(tag)\"")
        }
        return EchoRoutes.withoutBody(request).header("ETag", "\"\(tag)\"")
    }

    /// Each query item becomes a header field; the content lists the fields.
    @Sendable static func responseHeaders(_ request: RecordedRequest) -> LoopbackResponse {
        let framing = ["content-length", "transfer-encoding", "connection"]
        var items = request.queryItems.filter { !framing.contains($0.name.lowercased()) }
        if !items.contains(where: { $0.name.lowercased() == "content-type" }) {
            items.append(("Content-Type", "application/json"))
        }
        var response = LoopbackResponse.status(200)
        // The content states its own length, which depends on its number of digits; it settles at the second try.
        for _ in 0..<4 {
            let length = response.content.length ?? 0
            response = .json(EchoValue(grouping: items + [("Content-Length", "\(length)")]))
            if response.content.length == length { break }
        }
        response.headers = items
        return response
    }
}

extension RecordedRequest {
    /// The entity tags of a field, without quotes and weakness; `nil` if the field is missing.
    func entityTags(_ name: String) -> [String]? {
        let values = values(of: name)
        guard !values.isEmpty else { return nil }
        return values.flatMap { $0.split(separator: ",") }.map { tag in
            let strong = tag.trimmingSpacesAndTabs()
            return String(strong.hasPrefix("W/") ? strong.dropFirst(2) : strong).replacing("\"", with: "")
        }
    }
}
