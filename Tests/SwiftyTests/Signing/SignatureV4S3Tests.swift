// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

/// The examples of the Amazon S3 API Reference, "Signature Calculations for the Authorization Header" and "Using Query
/// Parameters".
@Suite("AWS Signature Version 4 for S3", .timeLimit(.minutes(15)))
struct SignatureV4S3Tests {
    private typealias Message = SignatureV4.Message

    private static let host = "examplebucket.s3.amazonaws.com"
    /// 2013-05-24 00:00:00.
    private static let date = Date(timeIntervalSince1970: 1_369_353_600)
    private static let signer = SignatureV4(
        credentials: SignatureV4.Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        ),
        region: "us-east-1",
        service: "s3",
        options: .s3
    )

    @Test(
        "is that of the examples without content",
        arguments: [
            ("/test.txt", ["Range: bytes=0-9"], "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            ("/?lifecycle", [], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            ("/?max-keys=2&prefix=J", [], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ]
    )
    func get(target: String, fields: [String], signature: String) {
        let message = Message("GET \(target)", host: Self.host, fields: fields)
        #expect(Self.signer.steps(for: message, at: Self.date).signature == signature)
    }

    @Test("is that of the example that stores an object", arguments: ["/test$file.text", "/test%24file.text"])
    func put(path: String) {
        let fields = ["Date: Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class: REDUCED_REDUNDANCY"]
        let message = Message("PUT \(path)", host: Self.host, fields: fields, content: "Welcome to Amazon S3.")
        let result = Self.signer.fields(for: message, at: Self.date)
        #expect(result.map(\.name) == ["X-Amz-Date", "x-amz-content-sha256", "Authorization"])
        #expect(result[1].value == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        #expect(
            result[2].value == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, "
                + "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        )
    }

    @Test("of a presigned URL is that of the example")
    func presigned() {
        let message = Message("GET /test.txt", host: Self.host, payloadHash: SignatureV4.unsignedPayload)
        #expect(
            Self.signer.presignedQuery(for: message, at: Self.date, expiresAfter: 86_400)
                == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
    }

    @Test("of a presigned URL for known content has its hash in the query")
    func presignedContent() {
        let message = Message("PUT /test.txt", host: Self.host, content: "Welcome to Amazon S3.")
        let query = Self.signer.presignedQuery(for: message, at: Self.date, expiresAfter: 60)
        #expect(query.contains("&X-Amz-Content-Sha256=\(message.payloadHash)&X-Amz-Signature="))
        let steps = Self.signer.presignedSteps(for: message, at: Self.date, expiresAfter: 60)
        #expect(steps.canonicalRequest.hasSuffix("\n\nhost\n\(message.payloadHash)"))
        #expect(steps.canonicalRequest.contains("&X-Amz-Content-Sha256=\(message.payloadHash)&X-Amz-Credential="))
    }

    /// The first two are as in S3's responses to requests with a wrong signature (curl/curl#13754, aws/aws-sdk-js#853).
    @Test(
        "covers the path decoded and encoded again, and not normalized",
        arguments: [
            ("/a/asset_id=my-asset/dt=1", "/a/asset_id%3Dmy-asset/dt%3D1"), ("/%3Fa=b%20c", "/%3Fa%3Db%20c"),
            ("//a/./b/..//", "//a/./b/..//"), ("/a%2fb%2Bc+d", "/a/b%2Bc%2Bd"), ("", "/"), ("a", "/a"),
            ("/%e1%88%b4%ff", "/%E1%88%B4%FF"), ("/%zz%4%", "/%25zz%254%25"), ("/%7E%2e%5F", "/~._"),
        ]
    )
    func path(sent: String, signed: String) {
        #expect(Self.signer.canonicalPath(sent) == signed)
    }
}
