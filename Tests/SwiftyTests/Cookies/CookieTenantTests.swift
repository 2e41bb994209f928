// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import TestSupport
import Testing

/// The tenants of a hosting service have names below a public suffix, and that suffix lies below a domain that is none.
@Suite("Cookies: tenants", .timeLimit(.minutes(15)))
struct CookieTenantTests {
    struct Row: Sendable {
        /// A host, and another tenant of the same service.
        let host, neighbour: String
        /// Domains above both, which are too short for them.
        let refused: [String]
        /// Domains that the host can share cookies for.
        let accepted: [String]
    }

    /// By `PublicSuffixList.sample` and by the system's list.
    static let rows = [
        Row(
            host: "evil.s3.amazonaws.com",
            neighbour: "victim.s3.amazonaws.com",
            refused: ["amazonaws.com", ".amazonaws.com", "AMAZONAWS.com", "s3.amazonaws.com", "com"],
            accepted: ["evil.s3.amazonaws.com"]
        ),
        Row(
            host: "a.b.s3.us-east-2.amazonaws.com",
            neighbour: "c.s3.us-east-2.amazonaws.com",
            refused: ["amazonaws.com", "us-east-2.amazonaws.com", "s3.us-east-2.amazonaws.com"],
            accepted: ["b.s3.us-east-2.amazonaws.com", "a.b.s3.us-east-2.amazonaws.com"]
        ),
        Row(
            host: "x.us-east-2.compute.amazonaws.com",
            neighbour: "y.us-east-2.compute.amazonaws.com",
            refused: ["compute.amazonaws.com", "amazonaws.com", "us-east-2.compute.amazonaws.com"],
            accepted: ["x.us-east-2.compute.amazonaws.com"]
        ),
        Row(host: "a.b.kobe.jp", neighbour: "c.b.kobe.jp", refused: ["kobe.jp", "b.kobe.jp", "jp"], accepted: []),
        Row(
            host: "svc.uc.r.appspot.com",
            neighbour: "other.uc.r.appspot.com",
            refused: ["r.appspot.com", "uc.r.appspot.com", "appspot.com"],
            accepted: ["svc.uc.r.appspot.com"]
        ),
        Row(
            host: "x.y.digitaloceanspaces.com",
            neighbour: "z.y.digitaloceanspaces.com",
            refused: ["digitaloceanspaces.com", "y.digitaloceanspaces.com"],
            accepted: ["x.y.digitaloceanspaces.com"]
        ),
        Row(host: "a.github.io", neighbour: "b.github.io", refused: ["github.io", "io"], accepted: ["a.github.io"]),
        Row(host: "a.co.uk", neighbour: "b.co.uk", refused: ["co.uk", "uk"], accepted: ["a.co.uk"]),
    ]

    @Test("a tenant sets no cookie for another one", arguments: rows)
    func setting(row: Row) throws {
        for suffixes in [PublicSuffixList.sample, .system] {
            for domain in row.refused {
                let jar = CookieJar(publicSuffixes: suffixes)
                let error = try jar.validationError(of: "k=v; Domain=\(domain)", from: "https://\(row.host)/")
                #expect(error == .publicSuffix, "\(domain) \(suffixes)")
                #expect(try jar.sent(to: "https://\(row.neighbour)/") == "", "\(domain)")
            }
            for domain in row.accepted {
                let jar = CookieJar(publicSuffixes: suffixes)
                #expect(try jar.validationError(of: "k=v; Domain=\(domain)", from: "https://\(row.host)/") == nil)
                #expect(try jar.sent(to: "https://\(row.host)/") == "k=v", "\(domain)")
            }
        }
    }

    @Test("a line of a cookie file for the domain of a hosting service is sent to none of its tenants", arguments: rows)
    func file(row: Row) throws {
        for domain in row.refused where !domain.hasPrefix(".") {
            let folder = try TemporaryFolder()
            try folder.write(".\(domain)\tTRUE\t/\tFALSE\t0\tk\tv\n")
            let jar = try CookieJar(file: folder.cookieFile, publicSuffixes: .sample)
            #expect(try jar.sent(to: "https://\(row.host)/") == "", "\(domain)")
            #expect(try jar.sent(to: "https://\(row.neighbour)/") == "", "\(domain)")
        }
    }

    @Test("a host above public suffixes has cookies for its other hosts, and its tenants do not get them")
    func owner() throws {
        let jar = CookieJar(publicSuffixes: .sample)
        try jar.receive(["k=v; Domain=amazonaws.com"], from: "https://console.amazonaws.com/")
        try jar.receive(["l=w; Domain=kobe.jp"], from: "https://kobe.jp/")
        for url in ["https://console.amazonaws.com/", "https://amazonaws.com/", "https://a.b.amazonaws.com/"] {
            #expect(try jar.sent(to: url) == "k=v", "\(url)")
        }
        #expect(try jar.sent(to: "https://kobe.jp/") == "l=w")
        for url in [
            "https://a.s3.amazonaws.com/", "https://s3.amazonaws.com/", "https://a.c.kobe.jp/",
            // By an exception of the list, a tenant as the others.
            "https://city.kobe.jp/",
        ] {
            #expect(try jar.sent(to: url) == "", "\(url)")
        }
    }
}
