// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A signer for AWS", .timeLimit(.minutes(15)))
struct AWSSignatureTests {
    struct Mine: Error {}

    private let keys = AWSSignature.Credentials(
        accessKeyID: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    )
    /// 2015-08-30 12:36:00, the time of AWS's test suite.
    private let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_440_938_160) }

    private func signer(service: String = "service", keys: AWSSignature.Credentials? = nil) -> AWSSignature {
        let keys = keys ?? self.keys
        return AWSSignature(region: "us-east-1", service: service, now: now) { keys }
    }

    private func server(_ stub: StubTransport, _ hook: any Swifty.Hook) -> BaseResource {
        BaseResource("https://example.amazonaws.com", networkInterface: Swifty(transport: stub) { $0.use(hook) })
    }

    @Test("signs a request as AWS's test suite does, whatever the client adds to it")
    func vanilla() async throws {
        let stub = StubTransport()
        try await server(stub, signer()).get("").header(.userAgent, "app/1").load()
        let fields = stub.requests[0].headers
        #expect(fields[.init("X-Amz-Date") ?? .date] == "20150830T123600Z")
        #expect(
            fields[.authorization]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, "
                + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        )
        #expect(stub.requests[0].values(of: "X-Amz-Content-Sha256").isEmpty)
    }

    @Test("signs the content of S3, and leaves it unsigned where it can be produced only once, over https alone")
    func content() async throws {
        let stub = StubTransport()
        let base = server(stub, signer(service: "s3"))
        try await base.put("a").text("Welcome to Amazon S3.").load()
        let once = base.put("a").stream(isReplayable: false) { AsyncStream<Data> { $0.finish() } }
        try await once.load()
        #expect(
            stub.requests.map { $0.values(of: "X-Amz-Content-Sha256") } == [
                ["44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"], ["UNSIGNED-PAYLOAD"],
            ]
        )
        let other = server(stub, signer()).put("a").stream(isReplayable: false) { AsyncStream<Data> { $0.finish() } }
        let error = await #expect(throws: SwiftyError.self) { try await other.load() }
        #expect(error?.code == .contentNotReplayable)
        #expect(stub.requests.count == 2)
    }

    @Test("fetches the keys for each request; an error, or keys that cannot be sent, send nothing")
    func credentials() async throws {
        let (stub, count) = (StubTransport(), Counter())
        let rotating = AWSSignature(region: "us-east-1", service: "sqs") {
            let number = count.increment()
            if number == 3 { throw Mine() }
            return AWSSignature.Credentials(accessKeyID: "K\(number)", secretAccessKey: "s", sessionToken: "t\(number)")
        }
        let base = server(stub, rotating)
        for _ in 0..<2 { try await base.post("q").load() }
        #expect(stub.requests.map { $0.values(of: "X-Amz-Security-Token") } == [["t1"], ["t2"]])
        #expect(stub.requests[1].headers[.authorization]?.contains("Credential=K2/") == true)
        #expect(await #expect(throws: SwiftyError.self) { try await base.post("q").load() }?.underlying is Mine)
        let bad = AWSSignature.Credentials(accessKeyID: "a\r\nX: y", secretAccessKey: "s")
        let refused = server(stub, signer(keys: bad)).get("x")
        #expect(await #expect(throws: SwiftyError.self) { try await refused.load() }?.code == .invalidCredential)
        #expect(stub.requests.count == 2)
    }

    @Test("makes URLs that anyone may use for a while")
    func presigned() async throws {
        let keys = AWSSignature.Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        )
        let date = Date(timeIntervalSince1970: 1_369_353_600)
        let signer = AWSSignature(region: "us-east-1", service: "s3", now: { date }, credentials: { keys })
        let target = try TargetURI("https://examplebucket.s3.amazonaws.com/test.txt")
        let url = try await signer.presignedURL(for: target, lifetime: .seconds(86_400))
        let signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        #expect(url.string.hasPrefix("https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm="))
        #expect(url.string.hasSuffix("&X-Amz-Signature=\(signature)"))
        for lifetime in [Duration.zero, .seconds(-1), .seconds(604_801), .milliseconds(999)] {
            let error = await #expect(throws: SwiftyError.self) {
                try await signer.presignedURL(for: target, lifetime: lifetime)
            }
            #expect(error?.code == .invalidSettings)
        }
    }

    @Test("shows no secret, nor does the signed request")
    func secrets() async throws {
        let keys = AWSSignature.Credentials(accessKeyID: "AKID", secretAccessKey: "hidden-1", sessionToken: "hidden-2")
        let stub = StubTransport()
        let signer = signer(keys: keys)
        try await server(stub, signer).get("x").load()
        let url = try await signer.presignedURL(for: try TargetURI("https://a.example.com/"), lifetime: .seconds(9))
        let texts = ["\(keys)", "\(signer)", "\(stub.requests[0])", "\(NetworkRequest(target: url))"]
        for text in texts {
            #expect(!text.contains("hidden"))
            #expect(!text.contains(/[0-9a-f]{64}/))
        }
        var dumped = ""
        dump([keys], to: &dumped)
        dump(signer, to: &dumped)
        #expect(!dumped.contains("hidden"))
    }
}
