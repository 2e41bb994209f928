// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A SwiftyError", .timeLimit(.minutes(15)))
struct SwiftyErrorTests {
    @Test("bridges to NSError with the domains and codes of Flipkart's Swifty")
    func bridging() {
        let expectations: [(SwiftyError, String, Int)] = [
            (WebServiceError.noNetworkInterface(), "WebServiceErrorDomain", 0),
            (WebServiceError.invalidBaseURL(url: "x"), "WebServiceErrorDomain", 2),
            (WebServiceError.invalidURL(url: "x"), "WebServiceErrorDomain", 3),
            (WebServiceError.fieldsEncodingFailure(dictionary: ["a": 1]), "WebServiceErrorDomain", 4),
            (WebServiceError.invalidQueryStringWithURL(url: "x"), "WebServiceErrorDomain", 5),
            (WebServiceError.jsonEncodingFailure(dictionary: [:], error: nil), "WebServiceErrorDomain", 6),
            (WebServiceError.codableEncodingFailure(error: nil), "WebServiceErrorDomain", 7),
            (SwiftyError.jsonParsingFailure(error: nil), "SwiftyErrorDomain", 10),
            (SwiftyError.responseValidation(), "SwiftyErrorDomain", 11),
            (SwiftyError.responseValidation(reason: "r", statusCode: 404), "SwiftyErrorDomain", 404),
            (SwiftyError(.timedOut, stage: .connect), "SwiftyErrorDomain", 112),
        ]
        for (error, domain, code) in expectations {
            let bridged = error as NSError
            #expect(bridged.domain == domain, "\(error)")
            #expect(bridged.code == code, "\(error)")
            #expect((error as any Error as NSError).domain == domain)
            #expect(bridged.localizedDescription == error.description)
        }
    }

    @Test("of a constraint or an interceptor bridges to the error that the hook gave")
    func hookErrors() {
        let mine = NSError(domain: "Mine", code: 42)
        let bridged = SwiftyError(.constraintFailed, stage: .constraint, underlying: mine) as NSError
        #expect(bridged.domain == "Mine")
        #expect(bridged.code == 42)
    }

    @Test("describes itself in one line, with request, code, stage and reason")
    func description() {
        var error = SwiftyError(.connectionFailed, stage: .connect, reason: "refused\r\nby peer")
        error.request = NetworkRequest.Summary(method: "GET", url: "https://a/b")
        #expect(error.description == "GET https://a/b failed (connectionFailed, connect): refused\\r\\nby peer")
    }

    @Test("is a value: a copy does not change with its original")
    func value() {
        let first = SwiftyError(.timedOut, stage: .connect)
        var second = first
        second.stage = .tls
        #expect(first.stage == .connect)
        #expect(second.stage == .tls)
    }

    @Test("shows no secrets when it, its request or its response is printed or dumped")
    func secrets() async throws {
        let resource = server().post("x").query(["token": "canary"]).bearer("canary").json(["password": "canary"])
        let request = try await freeze(resource)
        let head = ResponseHead(statusCode: 401, headers: [.setCookie: "id=canary", .contentType: "text/plain"])
        let response = NetworkResponse(head: head, data: Data("canary".utf8), request: request)
        response.fail(error: SwiftyError(.unacceptableStatus, stage: .validation))
        let error = try #require(response.error)
        for value: Any in [request, head, response, error, resource, resource.draft] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] {
                #expect(!text.contains("canary"), "\(text)")
            }
        }
        #expect(!"\(request)".contains("x-www"))
        #expect("\(head)".contains("text/plain"))
    }
}
