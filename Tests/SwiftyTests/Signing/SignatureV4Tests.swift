// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

/// The signatures come from AWS: from its test suites in botocore and aws-c-auth, and from its guides.
@Suite("AWS Signature Version 4", .timeLimit(.minutes(15)))
struct SignatureV4Tests {
    private typealias Message = SignatureV4.Message

    private static let date = SignatureV4.exampleDate
    private static let signer = SignatureV4.example()
    /// The token of the test suite's `post-sts-token`.
    private static let token =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8Y"
        + "UuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE"
        + "8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2"
        + "ICCR/oLxBA=="

    @Test("is that of the test suite, in the fields and in the query", arguments: SignatureVector.all)
    func suite(vector: SignatureVector) {
        var signer = Self.signer
        signer.options.normalizesPath = vector.normalizesPath
        #expect(signer.steps(for: vector.message, at: Self.date).signature == vector.inFields)
        let query = signer.presignedQuery(for: vector.message, at: Self.date, expiresAfter: 3600)
        #expect(query.hasSuffix("&X-Amz-Signature=\(vector.inQuery)"))
    }

    @Test("of a path that normalizes to a slash is that of a slash", arguments: SignatureV4Tests.pathsOfSlash)
    func normalizedPath(path: String) {
        let signature = Self.signer.steps(for: Message("GET \(path)"), at: Self.date).signature
        #expect(signature == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }

    private static let pathsOfSlash = [
        "/", "//", "/./", "/example/..", "/example1/example2/../..", "/..", "/../../", "?", "///.//",
    ]

    @Test(
        "sorts repeated parameters, and encodes a path strictly",
        arguments: [
            ("/?Param1=value2&Param1=Value1", "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
            ("/?Param1=value2&Param1=value1", "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
            ("/example/$delete", "a853c9b21b528b19643d00910d35b83a10c366a10833ceefb45edd6c80e40f27"),
        ]
    )
    func targets(target: String, signature: String) {
        #expect(Self.signer.steps(for: Message("GET \(target)"), at: Self.date).signature == signature)
    }

    @Test(
        "covers the content and its type",
        arguments: [
            ("", "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
            ("; charset=utf8", "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
        ]
    )
    func forms(parameter: String, signature: String) {
        let fields = ["Content-Type:application/x-www-form-urlencoded\(parameter)"]
        let message = Message("POST /", fields: fields, content: "Param1=value1")
        #expect(Self.signer.steps(for: message, at: Self.date).signature == signature)
    }

    @Test("covers the field with the hash of the content if the service wants it, and the length of the content")
    func contentHash() {
        var signer = Self.signer
        signer.options.signsContentHash = true
        let fields = ["Content-Type:application/x-www-form-urlencoded", "Content-Length:13"]
        let message = Message("POST /", fields: fields, content: "Param1=value1")
        let signature = signer.steps(for: message, at: Self.date).signature
        #expect(signature == "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b")
    }

    @Test("covers the token of temporary credentials")
    func token() {
        let signer = SignatureV4.example(token: Self.token)
        let fields = signer.fields(for: Message("POST /"), at: Self.date)
        #expect(fields.map(\.name) == ["X-Amz-Date", "X-Amz-Security-Token", "Authorization"])
        #expect(fields[1].value == Self.token)
        let inFields = "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        #expect(fields[2].value.hasSuffix("SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=\(inFields)"))
        let query = signer.presignedQuery(for: Message("POST /"), at: Self.date, expiresAfter: 3600)
        let inQuery = "46c2e3c63c1dbe7d39f8ada16fe7f001c1f56c5791441565323677f96308871c"
        #expect(query.hasSuffix("ICCR%2FoLxBA%3D%3D&X-Amz-Signature=\(inQuery)"))
        #expect(query.contains("&X-Amz-Security-Token=AQoDYXdzEPT%2F%2F"))
    }

    @Test("comes from the steps of AWS's guide, and goes to the field of the guide")
    func steps() {
        let signer = SignatureV4.example(service: "iam")
        let message = Message(
            "GET /?Action=ListUsers&Version=2010-05-08",
            host: "iam.amazonaws.com",
            fields: ["Content-Type: application/x-www-form-urlencoded; charset=utf-8"]
        )
        let steps = signer.steps(for: message, at: Self.date)
        #expect(
            steps.canonicalRequest == """
                GET
                /
                Action=ListUsers&Version=2010-05-08
                content-type:application/x-www-form-urlencoded; charset=utf-8
                host:iam.amazonaws.com
                x-amz-date:20150830T123600Z

                content-type;host;x-amz-date
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """
        )
        #expect(
            steps.stringToSign == """
                AWS4-HMAC-SHA256
                20150830T123600Z
                20150830/us-east-1/iam/aws4_request
                f536975d06c0309214f805bb90ccff089219ecd68b2577efef23edd43b7e1a59
                """
        )
        let fields = signer.fields(for: message, at: Self.date)
        #expect(fields.map(\.name) == ["X-Amz-Date", "Authorization"])
        #expect(
            fields[1].value == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
        )
    }
}
