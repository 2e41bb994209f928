// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("Redaction", .timeLimit(.minutes(15)))
struct RedactionTests {
    @Test(
        "replaces credentials and the values of secret parameters, and nothing else",
        arguments: [
            ("/x?a=b&token=c#d", "/x?a=b&token=REDACTED#d"), ("https://u:p@h/x", "https://REDACTED@h/x"),
            ("//u:p@q@h/", "//REDACTED@h/"), ("/x#access_token=c&b=1", "/x#access_token=REDACTED&b=1"),
            ("/x?a=1#id_token=c", "/x?a=1#id_token=REDACTED"), ("?%74oken=c", "?%74oken=REDACTED"),
            ("/a@b?c=d@e", "/a@b?c=d@e"), ("https://h/?key", "https://h/?key"), ("", ""), ("?&&=&", "?&&=&"),
            ("/x?api-key=a=b", "/x?api-key=REDACTED"),
        ]
    )
    func reference(text: String, redacted: String) {
        #expect(Redaction.redact(reference: text) == redacted)
    }

    @Test("recognizes secrets by their names, in any case")
    func names() {
        for name in [
            "Authorization", "X-API-KEY", "Ocp-Apim-Subscription-Key", "access_key", "Set-Cookie", "sig", "pwd",
        ] {
            #expect(Redaction.isSecret(name: name), "\(name)")
        }
        let plain = ["Accept", "Access-Control-Allow-Credentials", "Idempotency-Key", "monkey", "Design", "keyboard"]
        for name in plain {
            #expect(!Redaction.isSecret(name: name), "\(name)")
        }
    }
}
