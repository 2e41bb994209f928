// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import SwiftyTransport

/// Loads as a HAR 1.2 file (http://www.softwareishard.com/blog/har-12-spec/), which browsers and other tools show.
struct HARDocument: Encodable {
    struct Log: Encodable {
        let version = "1.2"
        let creator = Creator()
        let entries: [Entry]
    }

    struct Creator: Encodable {
        let name = "swifty-inspector"
        let version = SwiftyVersion.current
    }

    struct Entry: Encodable {
        let startedDateTime: String
        let time: Double
        let request: Request
        let response: Response
        let cache: [String: String] = [:]
        let timings: Timings
        let _name: String?
        let _template: String?
        let _error: String?
        let _source: String
        let _attempts: Int
    }

    struct Request: Encodable {
        let method: String
        let url: String
        let httpVersion: String
        let cookies: [Pair] = []
        let headers: [Pair]
        let queryString: [Pair]
        let postData: Content?
        let headersSize = -1
        let bodySize: Int
    }

    struct Response: Encodable {
        let status: Int
        let statusText: String
        let httpVersion: String
        let cookies: [Pair] = []
        let headers: [Pair]
        let content: Content
        let redirectURL: String
        let headersSize = -1
        let bodySize = -1
    }

    struct Content: Encodable {
        let size: Int?
        let mimeType: String
        let text: String?
    }

    struct Pair: Encodable {
        let name: String
        let value: String
    }

    struct Timings: Encodable {
        let blocked: Double
        let dns: Double
        let connect: Double
        let ssl: Double
        let send = 0.0
        let wait: Double
        let receive: Double
    }

    let log: Log

    init(_ loads: [InspectedLoad]) {
        log = Log(entries: loads.compactMap(Entry.init))
    }

    /// The file as JSON.
    var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)) ?? Data()
    }
}

extension HARDocument.Entry {
    /// `nil` for a load that has not ended.
    fileprivate init?(_ load: InspectedLoad) {
        guard let outcome = load.outcome else { return nil }
        let (last, request) = (outcome.attempts.last, outcome.request)
        let version = "HTTP/\(last?.httpVersion ?? "1.1")"
        let url = request.map { String($0.startLine.drop { $0 != " " }.dropFirst()) } ?? load.url
        self.init(
            startedDateTime: load.start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            time: outcome.duration,
            request: HARDocument.Request(
                method: load.method,
                url: url,
                httpVersion: version,
                headers: request?.pairs ?? [],
                queryString: FormContent.items(String(url.drop { $0 != "?" }.dropFirst()))
                    .map { HARDocument.Pair(name: $0.name, value: $0.value) },
                postData: request?.harContent(isRequest: true),
                bodySize: request?.contentBytes ?? -1
            ),
            response: HARDocument.Response(
                status: outcome.status ?? 0,
                statusText: outcome.response.map {
                    String($0.startLine.split(separator: " ").dropFirst(2).joined(separator: " "))
                } ?? "",
                httpVersion: version,
                headers: outcome.response?.pairs ?? [],
                content: outcome.response?.harContent(isRequest: false)
                    ?? HARDocument.Content(size: 0, mimeType: "", text: nil),
                redirectURL: outcome.response?.fields.first { $0.name.lowercased() == "location" }?.value ?? ""
            ),
            timings: HARDocument.Timings(last),
            _name: load.name,
            _template: load.template,
            _error: outcome.error,
            _source: outcome.source,
            _attempts: outcome.attempts.count
        )
    }
}

extension InspectedLoad.Message {
    fileprivate var pairs: [HARDocument.Pair] { fields.map { HARDocument.Pair(name: $0.name, value: $0.value) } }

    /// The content; `nil` for a request without any.
    fileprivate func harContent(isRequest: Bool) -> HARDocument.Content? {
        if isRequest, contentBytes == 0 { return nil }
        return HARDocument.Content(size: isRequest ? nil : contentBytes ?? 0, mimeType: type, text: content)
    }
}

extension HARDocument.Timings {
    /// Those of an attempt. Phases that a reused connection does not have are -1; `ssl` is a part of `connect`.
    fileprivate init(_ attempt: InspectedLoad.Attempt?) {
        let isNew = attempt.map { !$0.isConnectionReused && !$0.peer.isEmpty } ?? false
        self.init(
            blocked: attempt?.queue ?? 0,
            dns: isNew ? attempt?.nameLookup ?? 0 : -1,
            connect: isNew ? (attempt?.connect ?? 0) + (attempt?.tls ?? 0) : -1,
            ssl: isNew && attempt?.tls ?? 0 > 0 ? attempt?.tls ?? 0 : -1,
            wait: attempt?.firstByte ?? 0,
            receive: attempt?.receive ?? 0
        )
    }
}
