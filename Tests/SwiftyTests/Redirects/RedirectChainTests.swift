// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

/// Requests and heads for tests of redirects.
enum Redirecting {
    static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
    static let statuses = [301, 302, 303, 307, 308]

    static func request(
        _ method: HTTPRequest.Method = .get,
        _ url: String = "http://example.test/a/b?c",
        _ headers: HTTPFields = [:]
    ) throws -> NetworkRequest {
        let hasContent = [.post, .put, .patch].contains(method)
        return NetworkRequest(
            method: method,
            target: try TargetURI(url),
            headers: headers,
            content: hasContent ? .data(Data("content".utf8)) : .none
        )
    }

    static func head(_ status: Int = 302, to location: String?) -> ResponseHead {
        ResponseHead(statusCode: status, headers: location.map { [.location: $0] } ?? [:])
    }
}

@Suite("A chain of redirects", .timeLimit(.minutes(15)))
struct RedirectChainTests {
    @Test("changes the method as RFC 9110 §15.4 requires", arguments: Redirecting.statuses, Redirecting.methods)
    func methods(status: Int, method: HTTPRequest.Method) throws {
        let request = try Redirecting.request(
            method,
            "http://example.test/",
            [.contentType: "a/b", .accept: "c/d", .idempotencyKey: "1"]
        )
        var chain = RedirectChain(.follow, ownFields: [request.headers])
        let next = try #require(try chain.nextRequest(after: Redirecting.head(status, to: "/x"), of: request))
        let becomesGet: Bool =
            switch status {
            case 301, 302: method == .post
            case 303: method != .head
            default: false
            }
        #expect(next.method == (becomesGet ? .get : method))
        #expect(next.content.data == (becomesGet ? nil : request.content.data))
        #expect(next.headers[.contentType] == (becomesGet ? nil : "a/b"))
        #expect(next.headers[.accept] == "c/d")
        #expect(next.target.string == "http://example.test/x")
    }

    @Test("removes the fields of content together with the content")
    func contentFields() throws {
        let names = [
            "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Digest",
        ]
        var headers = HTTPFields()
        for name in names { headers[try #require(HTTPField.Name(name))] = "x" }
        let request = try Redirecting.request(.post, "http://example.test/", headers)
        var chain = RedirectChain(.follow, ownFields: [headers])
        let next = try chain.nextRequest(after: Redirecting.head(303, to: "/x"), of: request)
        #expect(next?.headers.isEmpty == true)
    }

    @Test(
        "is not begun by other statuses, nor without a Location",
        arguments: [200, 201, 300, 304, 305, 306, 309, 399]
    )
    func others(status: Int) throws {
        var chain = RedirectChain(.follow, ownFields: [])
        #expect(try chain.nextRequest(after: Redirecting.head(status, to: "/x"), of: Redirecting.request()) == nil)
        #expect(try chain.nextRequest(after: Redirecting.head(302, to: nil), of: Redirecting.request()) == nil)
        var none = RedirectChain(.none, ownFields: [])
        #expect(try none.nextRequest(after: Redirecting.head(302, to: "ftp://x/"), of: Redirecting.request()) == nil)
    }

    @Test("has at most 20 redirects; the 21st is an error")
    func limit() throws {
        var chain = RedirectChain(.follow, ownFields: [])
        var request = try Redirecting.request()
        for number in 1...20 {
            let next = try #require(try chain.nextRequest(after: Redirecting.head(to: "/\(number)"), of: request))
            try chain.follow(from: request, to: next)
            request = next
        }
        #expect(chain.count == 20)
        let error = #expect(throws: SwiftyError.self) {
            try chain.nextRequest(after: Redirecting.head(to: "/21"), of: request)
        }
        #expect(error?.code == .tooManyRedirects)
    }

    @Test("fails at a request that was sent before: same method, URL, body and cookie")
    func loop() throws {
        var chain = RedirectChain(.follow, ownFields: [])
        let first = try Redirecting.request(.post)
        // A form that leads to itself after 303 has another method: no loop yet.
        let second = try #require(try chain.nextRequest(after: Redirecting.head(303, to: ""), of: first))
        try chain.follow(from: first, to: second)
        let third = try #require(try chain.nextRequest(after: Redirecting.head(to: "?c#f"), of: second))
        let error = #expect(throws: SwiftyError.self) { try chain.follow(from: second, to: third) }
        #expect(error?.code == .redirectLoop)
        var withCookie = third
        withCookie.headers[.cookie] = "a=b"
        try chain.follow(from: second, to: withCookie)
    }

    @Test("does not lead from https to http, unless allowed; then without secrets")
    func downgrade() throws {
        let request = try Redirecting.request(.get, "https://example.test/", [.authorization: "x", .accept: "y"])
        var chain = RedirectChain(.follow, ownFields: [request.headers])
        let head = Redirecting.head(to: "http://example.test/")
        let error = #expect(throws: SwiftyError.self) { try chain.nextRequest(after: head, of: request) }
        #expect(error?.code == .insecureRedirect)
        var lax = RedirectChain(RedirectPolicy(allowsDowngrade: true, sendsReferer: true), ownFields: [request.headers])
        #expect(try lax.nextRequest(after: head, of: request)?.headers == [.accept: "y"])
    }

    @Test("does not send content to another origin, unless allowed", arguments: [307, 308])
    func body(status: Int) throws {
        let head = Redirecting.head(status, to: "http://example.test:81/")
        let request = try Redirecting.request(.put)
        var chain = RedirectChain(.follow, ownFields: [])
        let error = #expect(throws: SwiftyError.self) { try chain.nextRequest(after: head, of: request) }
        #expect(error?.code == .redirectRefused)
        var lax = RedirectChain(RedirectPolicy(resendsContentAcrossOrigins: true), ownFields: [])
        #expect(try lax.nextRequest(after: head, of: request)?.content.data == request.content.data)
        #expect(try chain.nextRequest(after: head, of: Redirecting.request(.delete)) != nil)
    }

    @Test("sends a Referer only if the policy asks for it, and to another origin without the path")
    func referer() throws {
        let request = try Redirecting.request(.get, "http://example.test/a?token=1", [.referer: "http://x/"])
        var silent = RedirectChain(.follow, ownFields: [request.headers])
        #expect(try silent.nextRequest(after: Redirecting.head(to: "http://b/"), of: request)?.headers[.referer] == nil)
        var chain = RedirectChain(RedirectPolicy(sendsReferer: true), ownFields: [request.headers])
        let same = try chain.nextRequest(after: Redirecting.head(to: "/x"), of: request)
        #expect(same?.headers[.referer] == "http://example.test/a?token=1")
        let other = try chain.nextRequest(after: Redirecting.head(to: "http://b/"), of: request)
        #expect(other?.headers[.referer] == "http://example.test/")
    }

    @Test("tracks whether the first request may have taken effect", arguments: Redirecting.statuses)
    func processed(status: Int) throws {
        var chain = RedirectChain(.follow, ownFields: [])
        let request = try Redirecting.request(.post)
        let next = try #require(try chain.nextRequest(after: Redirecting.head(status, to: "/x"), of: request))
        try chain.follow(from: request, to: next)
        #expect(chain.mustNotBeRepeated == (status < 307) && chain.hasTakenEffect == (status < 307))
        // Only 303 says that a PUT was processed, which may nevertheless be repeated.
        var other = RedirectChain(.follow, ownFields: [])
        let put = try Redirecting.request(.put)
        let after = try #require(try other.nextRequest(after: Redirecting.head(status, to: "/x"), of: put))
        try other.follow(from: put, to: after)
        #expect(!other.mustNotBeRepeated && other.hasTakenEffect == (status == 303))
    }

    @Test("keeps the last fragment of a Location")
    func fragment() throws {
        var chain = RedirectChain(.follow, ownFields: [])
        for (location, fragment) in [("/a#one", "one"), ("/b", "one"), ("/c#", "")] {
            let next = try chain.nextRequest(after: Redirecting.head(to: location), of: Redirecting.request())
            #expect(chain.fragment == fragment)
            #expect(next?.target.string.contains("#") == false)
        }
    }
}
