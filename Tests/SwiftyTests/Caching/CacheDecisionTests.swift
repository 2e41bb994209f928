// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Swifty

@Suite("The decision of a cache", .timeLimit(.minutes(15)))
struct CacheDecisionTests {
    private let received = DateClock.start.timeIntervalSince1970

    /// The decision in one word, some seconds after a response was stored.
    private func decision(
        _ request: [(String, String)] = [],
        response: String?,
        validator: Bool = true,
        after seconds: Double,
        _ mode: CachePolicy.Mode = .standard
    ) throws -> String {
        let sent = NetworkRequest(target: try TargetURI("https://example.com/"), headers: HTTPFields(request))
        let stored = try response.map { control in
            let fields = [("Cache-Control", control)] + (validator ? [("ETag", #""1""#)] : [])
            let rule = StorageRule(request: sent, policy: .standard, maximumBytes: .max)
            let times = CacheTimes(requested: received, received: received)
            let head = TransportResponse(200, fields).head
            let variant = try #require(CacheVariant(of: head, to: sent, isPartitioned: false))
            return rule.stored(TransportResponse(200, fields), times)
                ?? StoredResponse(head: head, content: Data(), times: times, variant: variant, ownLifetime: nil)
        }
        switch CacheDecision(sent, mode: mode, stored, at: received + seconds) {
        case .send(let fallback): return fallback == nil ? "send" : "send with fallback"
        case .answer(_, let source, let refreshes): return "\(source)\(refreshes ? " and refresh" : "")"
        case .validate: return "validate"
        case .refuse: return "refuse"
        }
    }

    @Test(
        "follows the fields of the response",
        arguments: [
            ("max-age=60", 59, "cache"), ("max-age=60", 60, "validate"), ("max-age=60, no-cache", 1, "validate"),
            ("max-age=60, must-revalidate", 59, "cache"), ("max-age=60, must-revalidate", 61, "validate"),
            ("max-age=60, stale-while-revalidate=30", 89, "staleCache and refresh"),
            ("max-age=60, stale-while-revalidate=30", 90, "validate"),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", 70, "validate"),
            ("max-age=60, stale-if-error=30", 70, "validate"), ("max-age=60", -1, "validate"),
            ("max-age=60, stale-while-revalidate=30", -1, "validate"), ("private, max-age=60", 59, "cache"),
        ]
    )
    func response(control: String, seconds: Double, expected: String) throws {
        #expect(try decision(response: control, after: seconds) == expected)
    }

    @Test(
        "follows the fields of the request",
        arguments: [
            ([("Cache-Control", "max-age=30")], 30, "cache"), ([("Cache-Control", "max-age=30")], 31, "validate"),
            ([("Cache-Control", "max-age=x")], 1, "validate"), ([("Cache-Control", "no-cache")], 1, "validate"),
            ([("Pragma", "no-cache")], 1, "validate"),
            ([("Pragma", "no-cache"), ("Cache-Control", "max-age=99")], 1, "cache"),
            ([("Cache-Control", "min-fresh=10")], 50, "cache"), ([("Cache-Control", "min-fresh=10")], 51, "validate"),
            ([("Cache-Control", "max-stale")], 9999, "staleCache"),
            ([("Cache-Control", "max-stale=10")], 70, "staleCache"),
            ([("Cache-Control", "max-stale=10")], 71, "validate"),
            ([("Cache-Control", "max-stale, min-fresh=1")], 61, "validate"),
            ([("Cache-Control", "max-stale, min-fresh=0")], 61, "validate"),
            ([("Cache-Control", "only-if-cached")], 1, "cache"), ([("Cache-Control", "only-if-cached")], 61, "refuse"),
            ([("Cache-Control", "only-if-cached, max-stale")], 61, "staleCache"),
        ] as [([(String, String)], Double, String)]
    )
    func request(fields: [(String, String)], seconds: Double, expected: String) throws {
        #expect(try decision(fields, response: "max-age=60", after: seconds) == expected)
    }

    @Test(
        "follows the policy",
        arguments: [
            (CachePolicy.Mode.standard, "cache", "validate", "send"), (.reload, "send", "send", "send"),
            (.revalidate, "validate", "validate", "send"), (.preferStored, "cache", "staleCache", "send"),
            (.onlyStored, "cache", "staleCache", "refuse"), (.none, "send", "send", "send"),
        ]
    )
    func policy(mode: CachePolicy.Mode, fresh: String, stale: String, missing: String) throws {
        #expect(try decision(response: "max-age=60", after: 1, mode) == fresh)
        #expect(try decision(response: "max-age=60", after: 61, mode) == stale)
        #expect(try decision(response: nil, after: 1, mode) == missing)
    }

    @Test("sends the request if there is nothing to ask about, and keeps what a failure leaves")
    func withoutValidator() throws {
        #expect(try decision(response: "max-age=60", validator: false, after: 61) == "send with fallback")
        let only = [("Cache-Control", "only-if-cached")]
        #expect(try decision(only, response: nil, after: 1) == "refuse")
    }
}

@Suite("What a cache stores", .timeLimit(.minutes(15)))
struct StorageRuleTests {
    private func stored(
        _ fields: [(String, String)],
        status: Int = 200,
        method: HTTPRequest.Method = .get,
        request: [(String, String)] = [],
        policy: CachePolicy = .standard,
        maximumBytes: Int = .max
    ) throws -> StoredResponse? {
        let target = try TargetURI("https://example.com/")
        let sent = NetworkRequest(method: method, target: target, headers: HTTPFields(request))
        return StorageRule(request: sent, policy: policy, maximumBytes: maximumBytes)
            .stored(TransportResponse(status, fields), CacheTimes(requested: 1_767_225_600, received: 1_767_225_600))
    }

    private let fresh = [("Cache-Control", "max-age=60")]

    @Test("is a response to GET that may answer a later request")
    func usual() throws {
        #expect(try stored(fresh) != nil)
        #expect(try stored([("ETag", #""1""#)]) != nil)
        #expect(try stored([("Expires", "Thu, 01 Jan 2026 00:09:00 GMT")]) != nil)
        #expect(try stored(fresh, status: 302) != nil)
        #expect(try stored(fresh, status: 503) != nil)
        #expect(try stored([("Cache-Control", "max-age=0, stale-if-error=60")]) != nil)
        #expect(try stored([("Cache-Control", "max-age=0, stale-while-revalidate=60")]) != nil)
    }

    @Test(
        "is nothing that is forbidden, incomplete, of another method, a challenge, or of no use",
        arguments: [
            (200, [("Cache-Control", "max-age=60, no-store")]),
            (200, [("Cache-Control", "max-age=60"), ("Vary", "*")]),
            (200, [("Cache-Control", "max-age=60"), ("Vary", "a, *")]), (200, []), (302, [("ETag", #""1""#)]),
            (200, [("Cache-Control", "max-age=0")]), (200, [("Cache-Control", "no-cache, max-age=60")]),
            (206, [("Cache-Control", "max-age=60")]), (401, [("Cache-Control", "max-age=60")]),
            (407, [("Cache-Control", "max-age=60")]), (408, [("Cache-Control", "max-age=60")]),
            (429, [("Cache-Control", "max-age=60")]), (511, [("Cache-Control", "max-age=60")]),
            (304, [("Cache-Control", "max-age=60")]),
            (418, [("Cache-Control", "max-age=60, must-understand")]), (600, [("Cache-Control", "max-age=60")]),
            (200, [("Cache-Control", "max-age=60"), ("Set-Cookie", "a=b")]),
        ] as [(Int, [(String, String)])]
    )
    func never(status: Int, fields: [(String, String)]) throws {
        #expect(try stored(fields, status: status) == nil)
    }

    @Test("is nothing that the request forbids, or that is too large, or whose end is not known")
    func refused() throws {
        #expect(try stored(fresh, request: [("Cache-Control", "no-store")]) == nil)
        #expect(try stored(fresh, method: .head) == nil)
        #expect(try stored(fresh, method: .post) == nil)
        #expect(try stored(fresh, maximumBytes: 100) == nil)
        let request = NetworkRequest(target: try TargetURI("https://example.com/"))
        let rule = StorageRule(request: request, policy: .standard, maximumBytes: .max)
        let fields: HTTPFields = [.cacheControl: "max-age=60"]
        for (version, isStored) in [(ResponseHead.HTTPVersion.http1_0, false), (.http1_1, false), (.http2, true)] {
            let head = ResponseHead(statusCode: 200, httpVersion: version, headers: fields)
            for text in ["cut", ""] {
                let response = TransportResponse(head: head, content: Data(text.utf8))
                #expect((rule.stored(response, CacheTimes(requested: 0, received: 0)) != nil) == isStored)
            }
        }
    }

    @Test("is nothing that varies by a list of names without end")
    func names() throws {
        let names = (0..<100).map { "X-Field-\($0)" }.joined(separator: ", ")
        #expect(try stored(fresh + [("Vary", names)]) != nil)
        #expect(try stored(fresh + [("Vary", "accept language")]) == nil)
        #expect(try stored(fresh + [("Vary", names), ("Vary", names.replacing("Field", with: "Other"))]) == nil)
    }

    @Test("is what the caller decides, within the limits of the rules")
    func decision() throws {
        #expect(try stored(fresh, policy: CachePolicy { _ in .discard }) == nil)
        let keep = CachePolicy { _ in .keep(for: .seconds(5)) }
        #expect(try stored([], status: 302, policy: keep)?.freshness.lifetime == 5)
        #expect(try stored([("Cache-Control", "no-cache")], policy: keep)?.freshness.isAlwaysValidated == false)
        #expect(try stored([("Cache-Control", "no-store")], policy: keep) == nil)
        #expect(try stored([], status: 401, policy: keep) == nil)
        let negative = CachePolicy { _ in .keep(for: .seconds(-5)) }
        #expect(try stored([], policy: negative) == nil)
        let named = CachePolicy(partition: "ada")
        #expect(try stored(fresh + [("Set-Cookie", "a=b")], policy: named)?.head["Set-Cookie"] == .some(nil))
        #expect(try stored([("Cache-Control", "public, max-age=1"), ("Set-Cookie", "a=b")]) != nil)
    }

    @Test("has no fields of the connection, and no cookies")
    func fields() throws {
        let fields = [
            ("Connection", "X-Hop, close"), ("X-Hop", "1"), ("Keep-Alive", "timeout=5"),
            ("Transfer-Encoding", "chunked"),
            ("Set-Cookie", "a=b"), ("X-Kept", "1"), ("Cache-Control", "public, max-age=60"), ("Upgrade", "h2c"),
        ]
        let head = try #require(try stored(fields)).head
        #expect(Set(head.headers.map(\.name.canonicalName)) == ["x-kept", "cache-control", "content-length"])
    }

    @Test("understands a response that says which statuses must be understood")
    func mustUnderstand() throws {
        #expect(try stored([("Cache-Control", "max-age=60, must-understand, no-store")], status: 200) != nil)
        #expect(try stored([("Cache-Control", "max-age=60, must-understand")], status: 599) == nil)
    }
}
