// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Swifty

extension SignatureV4 {
    /// The signer of AWS's examples.
    static func example(
        token: String? = nil,
        region: String = "us-east-1",
        service: String = "service",
        options: Options = Options()
    ) -> SignatureV4 {
        let credentials = Credentials(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            sessionToken: token
        )
        return SignatureV4(credentials: credentials, region: region, service: service, options: options)
    }

    /// 2015-08-30 12:36:00, the time of AWS's test suite.
    static let exampleDate = Date(timeIntervalSince1970: 1_440_938_160)
}

extension SignatureV4.Message {
    /// A request from the beginning of its request line (`GET /?a=b`) and the lines of its fields (`Range: bytes=0-9`).
    init(
        _ request: String,
        host: String = "example.amazonaws.com",
        fields: [String] = [],
        content: String = "",
        payloadHash: String? = nil
    ) {
        let words = request.split(separator: " ", maxSplits: 1).map(String.init)
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self.init(
            method: words[0],
            host: host,
            path: target[0],
            query: target.count > 1 ? target[1] : nil,
            fields: fields.map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), String(parts[1]))
            },
            payloadHash: payloadHash ?? SignatureV4.payloadHash(of: Array(content.utf8))
        )
    }
}
