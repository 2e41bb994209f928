// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("The system's authorities", .timeLimit(.minutes(15)))
struct TrustStoreTests {
    private func locate(
        _ environment: [String: String] = [:],
        builtIn: (file: String?, folder: String?) = (nil, nil),
        _ existing: Set<String> = []
    ) -> TrustStore {
        TrustStore.locate(environment: { environment[$0] }, builtIn: builtIn, exists: { existing.contains($0) })
    }

    @Test("are libcurl's built-in ones if they exist, the file before the folder")
    func builtIn() {
        let places = (file: "/a.crt", folder: "/a")
        #expect(locate(builtIn: places, ["/a.crt", "/a"]) == .files(file: "/a.crt", folder: nil))
        #expect(locate(builtIn: places, ["/a"]) == .files(file: nil, folder: "/a"))
        #expect(locate(builtIn: places) == .builtIn)
        #expect(locate() == .builtIn)
    }

    @Test(
        "are found in the place of each distribution, if libcurl was built elsewhere",
        arguments: [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ]
    )
    func distributions(bundle: String) {
        let store = locate(builtIn: ("/elsewhere.crt", "/elsewhere"), [bundle, "/etc/ssl/certs"])
        #expect(store == .files(file: bundle, folder: nil))
    }

    @Test("are those that the environment names, whether they exist or not")
    func environment() {
        let existing: Set = ["/etc/ssl/certs/ca-certificates.crt"]
        #expect(locate(["SSL_CERT_FILE": "/my.pem"], existing) == .files(file: "/my.pem", folder: nil))
        #expect(locate(["SSL_CERT_DIR": "/my"], existing) == .files(file: nil, folder: "/my"))
        #expect(
            locate(["SSL_CERT_DIR": "/my", "SSL_CERT_FILE": "/my.pem"], existing)
                == .files(file: "/my.pem", folder: "/my")
        )
        #expect(
            locate(["SSL_CERT_FILE": ""], existing) == .files(file: "/etc/ssl/certs/ca-certificates.crt", folder: nil)
        )
    }

    @Test("exist on this machine")
    func here() {
        #expect(TrustStore.system != .builtIn)
    }
}
