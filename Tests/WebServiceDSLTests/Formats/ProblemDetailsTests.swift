// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("Details of a problem", .timeLimit(.minutes(15)))
struct ProblemDetailsTests {
    private func problem(_ text: String) throws -> ProblemDetails {
        try JSONDecoder().decode(ProblemDetails.self, from: Data(text.utf8))
    }

    @Test("have the members of RFC 9457, of which those of another type are left out")
    func members() throws {
        let example = """
            {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.",
            "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc",
            "balance":30,"accounts":["/account/12345"],"status":403}
            """
        let details = try problem(example)
        #expect(details.status == 403)
        #expect(details.instance == "/account/12345/msgs/abc")
        #expect(
            details.description
                == "You do not have enough credit.: Your current balance is 30, but that costs 50."
        )
        let odd = try problem(#"{"title":1,"status":"403","detail":"d"}"#)
        #expect(odd == ProblemDetails(detail: "d"))
        #expect(odd.description == "d")
        #expect(try problem(#"{"status":404}"#).description == "about:blank")
        let copy = try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(details))
        #expect(copy == details)
    }

    @Test("are not made of other content", arguments: ["{}", "[]", "1", #"{"message":"x"}"#, "null"])
    func others(text: String) {
        #expect(throws: DecodingError.self) { try problem(text) }
    }
}

@Suite("An error and the content of its response", .timeLimit(.minutes(15)))
struct ErrorContentTests {
    private struct Reason: Decodable, Equatable, Sendable { var why: String }

    @Test("is decoded as a value, in the format that is given or as JSON")
    func decoded() {
        var error = SwiftyError(.unacceptableStatus, stage: .validation)
        #expect(error.decoded(Reason.self) == nil)
        error.content = Data(#"{"why":"x"}"#.utf8)
        #expect(error.decoded(Reason.self) == Reason(why: "x"))
        #expect(error.decoded([Int].self) == nil)
        #expect(error.decoded(String.self, format: .text) == #"{"why":"x"}"#)
        error.content = Data()
        #expect(error.decoded(Reason.self) == nil)
    }
}
