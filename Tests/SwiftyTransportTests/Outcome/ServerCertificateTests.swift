// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("A server's certificate", .timeLimit(.minutes(15)))
struct ServerCertificateTests {
    /// Made for this test: P-256, CN = localhost, from 2026-11-21 12:19:59 to 2026-11-23 12:19:59.
    private let base64 = """
        MIIBmzCCAUKgAwIBAgIUG0JmhU6MLbXxng2KIrY+1ho6OXwwCgYIKoZIzj0EAwIwLjETMBEGA1UECgwKw4RjaHosIEluYzEXMBUG
        A1UEAwwOVGVzdCBBdXRob3JpdHkwHhcNMjYxMTIxMTIxOTU5WhcNMjYxMTIzMTIxOTU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3Qw
        WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS1t91sRPJvJRkZWiyf/HmwqmYLhp98rUHXgM9+8jQOwL15qECpi+qpjxpOHy/JjYKV
        QqnLrf0jbw4NY16mVhD4o1gwVjAUBgNVHREEDTALgglsb2NhbGhvc3QwHQYDVR0OBBYEFI+NdnbaXIbd1HKgjcHjMTYcS+XcMB8G
        A1UdIwQYMBaAFHFDrI9zFbrswE+pqzq3cGRVn5gPMAoGCCqGSM49BAMCA0cAMEQCIF4bLTTHmlilri8zN1zK6bTytFRfKuniF482
        7aJkAh5WAiB9w+jARYRHivE2Imdo3CoNjRgtHb/MoCnYu0WZSgU3Ow==
        """.replacing("\n", with: "")

    private func certificate(_ der: Data) -> ServerCertificate {
        ServerCertificate(subject: "CN = a", issuer: "CN = b", der: der)
    }

    @Test("has its validity and its pins")
    func fields() throws {
        let certificate = certificate(try #require(Data(base64Encoded: base64)))
        #expect(certificate.notBefore?.timeIntervalSince1970 == 1_795_263_599)
        #expect(certificate.notAfter?.timeIntervalSince1970 == 1_795_436_399)
        #expect(certificate.pin == "sha256//Xs+KJ/yWa3xE1tUuXCIyLG0xlTJXtQxbQelWBgqF6Sw=")
        #expect(certificate.publicKeyPin == "sha256//j6glEONwevs/r1ibU0n+jcvVGTkSr9NquHE83fbmtOw=")
        #expect(certificate.pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect("\(certificate)".contains("CN = a, issued by CN = b, sha256//"))
    }

    @Test("may be cut anywhere, and any of its bytes changed, without a trap")
    func damage() throws {
        let der = try #require(Data(base64Encoded: base64))
        for count in 0..<der.count { #expect(certificate(der.prefix(count)).publicKeyPin == nil) }
        for index in der.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0x84, 0xFF] {
                var changed = der
                changed[index] = value
                #expect(certificate(changed).pin.hasPrefix("sha256//"))
            }
        }
    }
}
