// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftySupport

/// A resource of a ``LoopbackServer``: content with its validators.
///
///     server.serve("/file.bin", Endpoint(content, entityTag: "v1"))
///     server.serve("/file.bin", Endpoint(other, entityTag: "v2"))        // the content has changed
///     server.serve("/slow", Endpoint(content) { $0.delayed(.seconds(1)).slow(bytesPerSecond: 10_000) })
///     server.serve("/cut", Endpoint(content) { $0.failing(with: .resetAfter(contentBytes: 100)) })
///
/// It answers GET and HEAD, one range of bytes (RFC 9110 §14), and the conditions `If-Match`, `If-None-Match`,
/// `If-Modified-Since`, `If-Unmodified-Since` and `If-Range` (§13).
public struct Endpoint: Sendable {
    private let content: Data
    private let type: String
    private let entityTag: String?
    /// In seconds since 1970, the resolution of HTTP dates.
    private let lastModified: Int?
    private let change: @Sendable (LoopbackResponse) -> LoopbackResponse

    /// Makes a resource.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - type: Its media type.
    ///   - entityTag: Its entity tag without quotes; `nil` sends none.
    ///   - lastModified: The time of its last change; `nil` sends none.
    ///   - change: Changes each response: its status, its fields, its delay, its rate, its fault.
    public init(
        _ content: Data,
        type: String = "application/octet-stream",
        entityTag: String? = nil,
        lastModified: Date? = nil,
        change: @escaping @Sendable (LoopbackResponse) -> LoopbackResponse = { $0 }
    ) {
        self.content = content
        self.type = type
        self.entityTag = entityTag
        self.lastModified = lastModified.map { Int($0.timeIntervalSince1970.rounded(.down)) }
        self.change = change
    }

    func response(to request: RecordedRequest) -> LoopbackResponse {
        var response = refusal(of: request) ?? selection(for: request)
        if let entityTag { response = response.header("ETag", "\"\(entityTag)\"") }
        if let lastModified {
            response = response.header("Last-Modified", HTTPDate.text(secondsSince1970: lastModified))
        }
        return change(response.header("Accept-Ranges", "bytes"))
    }

    /// The response if a condition of the request does not hold, in the order of RFC 9110 §13.2.2.
    private func refusal(of request: RecordedRequest) -> LoopbackResponse? {
        if let tags = request.entityTags("If-Match") {
            if !matches(tags) { return .status(412) }
        } else if let date = date(of: request, "If-Unmodified-Since"), let lastModified, lastModified > date {
            return .status(412)
        }
        if let tags = request.entityTags("If-None-Match") {
            if matches(tags) { return .status(304) }
        } else if let date = date(of: request, "If-Modified-Since"), let lastModified, lastModified <= date {
            return .status(304)
        }
        return nil
    }

    private func matches(_ tags: [String]) -> Bool {
        tags.contains("*") || entityTag.map(tags.contains) ?? false
    }

    private func date(of request: RecordedRequest, _ name: String) -> Int? {
        request[name].flatMap { HTTPDate.secondsSince1970($0[...]) }
    }

    /// The whole content, or the range that the request asks for.
    private func selection(for request: RecordedRequest) -> LoopbackResponse {
        guard isUnchanged(for: request), let asked = request["Range"].flatMap({ ByteRange($0) }) else {
            return .data(content, type: type)
        }
        guard let range = asked.resolved(content.count) else {
            return .status(416).header("Content-Range", "bytes */\(content.count)")
        }
        let part = content.dropFirst(range.lowerBound).prefix(range.count)
        return .data(Data(part), status: 206, type: type)
            .header("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)")
    }

    /// Whether `If-Range` is missing, or has the validator of the content (§13.1.5): the strong tag, or the exact date.
    private func isUnchanged(for request: RecordedRequest) -> Bool {
        guard let condition = request["If-Range"] else { return true }
        if condition.contains("\"") { return entityTag.map { condition == "\"\($0)\"" } ?? false }
        return lastModified != nil && date(of: request, "If-Range") == lastModified
    }
}
