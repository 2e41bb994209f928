// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("A request may be repeated", .timeLimit(.minutes(15)))
struct IdempotencyTests {
    @Test(
        "with a key that identifies it, and with no other",
        arguments: [
            ([], false), ([""], false), (["  "], false), (["\t"], false), (["\"\""], false), (["\" \""], false),
            (["k"], true), (["\"8e03978e\""], true), (["0"], true), (["a b"], true),
            (["k", "k"], false), (["", "k"], false),
        ] as [([String], Bool)]
    )
    func keys(_ values: [String], _ isRepeatable: Bool) throws {
        var request = NetworkRequest(method: .post, target: try TargetURI("https://a/x"))
        for value in values { request.headers.append(HTTPField(name: .idempotencyKey, value: value)) }
        #expect(request.isIdempotent == isRepeatable)
        for method in [HTTPRequest.Method.get, .put, .delete] {
            request.method = method
            #expect(request.isIdempotent)
        }
    }
}
