// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import SwiftyTransport
import Testing

@testable import SwiftyURLSession

@Suite("Proxies of the environment", .timeLimit(.minutes(15)))
struct EnvironmentProxyTests {
    private static let proxy = ["https_proxy": "http://proxy.test:3128"]

    private static func check(_ variables: [String: String], _ url: String = "https://api.example.com/") throws {
        try EnvironmentProxies(variables).check(try TargetURI(url))
    }

    @Test(
        "a proxy that libcurl would use refuses the load, even a malformed one",
        arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    )
    func used(_ variable: String) {
        for value in ["http://proxy.test:3128", "nonsense://"] {
            #expect(throws: SwiftyError.self) { try Self.check([variable: value]) }
        }
    }

    @Test("a proxy that libcurl would not use does not")
    func unused() throws {
        try Self.check([:])
        try Self.check(["https_proxy": "", "http_proxy": "http://proxy.test:3128"])
        try Self.check(["HTTP_PROXY": "http://proxy.test:3128"], "http://api.example.com/")
    }

    @Test(
        "an exception that every libcurl knows counts",
        arguments: ["*", "api.example.com", "a.test, Example.com", ".example.com"]
    )
    func excepted(_ exceptions: String) throws {
        try Self.check(Self.proxy.merging(["no_proxy": exceptions]) { $1 })
    }

    @Test(
        "any other one does not",
        arguments: ["a.test", "*.example.com", "ample.com", "api.example.com:443", "a.test,*", "api.example.com."]
    )
    func notExcepted(_ exceptions: String) {
        #expect(throws: SwiftyError.self) { try Self.check(Self.proxy.merging(["no_proxy": exceptions]) { $1 }) }
    }

    @Test("an address is excepted by itself alone")
    func addresses() throws {
        let variables = Self.proxy.merging(["no_proxy": "127.0.0.1,::1,0.0.2"]) { $1 }
        try Self.check(variables, "https://127.0.0.1/")
        try Self.check(variables, "https://[::1]/")
        #expect(throws: SwiftyError.self) { try Self.check(variables, "https://127.0.0.2/") }
    }
}
#endif
