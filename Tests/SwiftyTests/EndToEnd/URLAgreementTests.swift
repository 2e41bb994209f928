// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyCurl
import SwiftyTestServers
import Testing

/// The host that is checked, the one in `Host` and the one that is connected to are the same, or nothing is sent.
@Suite("A URL on which parsers disagree", .timeLimit(.minutes(15)))
struct URLAgreementTests {
    /// `@@` stands for the server's port.
    private static let refused = [
        "http://127.0.0.1:@@\\@evil.test/", "http://evil.test\\@127.0.0.1:@@/", "http://127.0.0.1\\:@@/",
        "http://user@127.0.0.1:@@/", "http://user:pw@127.0.0.1:@@/", "http://evil.test:80@127.0.0.1:@@/",
        "http://evil.test:80#@127.0.0.1:@@/", "http://127.0.0.1:@@#@evil.test/", "http://evil.test?@127.0.0.1:@@/ x",
        "http://127.0.0.1:@@:80/", "http://127.0.0.1::@@/", "http://127.0.0.1:@@ /", "http://127.0.0.1 :@@/",
        "http:// 127.0.0.1:@@/", "http://127.0.0.1\t:@@/", "http://127.0.0.1:@@/\r\nX: y", "http://127.0.0.1:@@/\0",
        "http://127.0.0.1%00.evil.test:@@/", "http://127.0.0.1%2eevil.test:@@/", "http://127%2E0.0.1:@@/",
        "http://127.0.0.1%2F@evil.test:@@/", "http://2130706433:@@/", "http://0x7f000001:@@/", "http://0x7f.0.0.1:@@/",
        "http://0177.0.0.1:@@/", "http://017700000001:@@/", "http://127.1:@@/", "http://127.0.1:@@/",
        "http://127.0.0.1.:@@:1/", "http://127.0.0.256:@@/", "http://127.0.0.01:@@/", "http://1.2.3.4.5:@@/",
        "http://\u{ff11}27.0.0.1:@@/", "http://127\u{3002}0.0.1:@@/", "http://localh\u{f6}st:@@/", "http://[::1:@@/",
        "http://::1:@@/", "http://[::1]evil.test:@@/", "http://[127.0.0.1]:@@/", "http://[::1%25lo]:@@/",
        "http://.:@@/", "http://..:@@/", "http://a..b:@@/", "http://:@@/", "http:///127.0.0.1:@@/",
        "http:/127.0.0.1:@@/",
        "http:127.0.0.1:@@/", "//127.0.0.1:@@/", "127.0.0.1:@@/", "ftp://127.0.0.1:@@/", "file://127.0.0.1:@@/",
        "javascript://127.0.0.1:@@/", "http\u{0}://127.0.0.1:@@/", "h\u{1}ttp://127.0.0.1:@@/", " http://127.0.0.1:@@/",
        "http://127.0.0.1:+@@/", "http://127.0.0.1:-1/", "http://127.0.0.1:0x50/",
        "http://127.0.0.1:99999/", "http://*:@@/", "http://<127.0.0.1>:@@/", "http://127.0.0.1;x:@@/", "http://a,b:@@/",
    ]

    private static let accepted = [
        ("http://127.0.0.1:@@", "127.0.0.1"), ("HTTP://127.0.0.1:@@/get", "127.0.0.1"),
        ("http://LOCALHOST:@@/get", "localhost"),
        ("http://127.0.0.1:@@//evil.test/", "127.0.0.1"), ("http://127.0.0.1:@@/@evil.test", "127.0.0.1"),
        ("http://127.0.0.1:@@/get?u=http://evil.test/", "127.0.0.1"), ("http://127.0.0.1:@@?@evil.test/", "127.0.0.1"),
        ("http://127.0.0.1:@@/%5C@evil.test", "127.0.0.1"), ("http://127.0.0.1:@@/a:b@c", "127.0.0.1"),
        ("http://127.0.0.1.:@@/get", "127.0.0.1"), ("http://[::ffff:7F00:1]:@@/get", "127.0.0.1"),
        ("http://Localhost.:@@/get", "localhost"), ("http://127.0.0.1:@@/b/../get", "127.0.0.1"),
        ("http://127.0.0.1:@@/b/%2E./get?/../x", "127.0.0.1"), ("http://127.0.0.1:@@/../..", "127.0.0.1"),
    ]

    @Test("is refused, and nothing is sent")
    func refused() async throws {
        let server = try LoopbackServer()
        for text in Self.refused {
            let url = text.replacing("@@", with: "\(server.port)")
            let base = BaseResource(url, networkInterface: Swifty.shared)
            let error = await #expect(throws: SwiftyError.self, "\(url)") { try await base.get("get").load() }
            #expect(error?.stage == .building, "\(url)")
            #expect(error?.sent == .notSent, "\(url)")
        }
        #expect(server.log.count == 0)
    }

    @Test("is sent to the host that was checked, with that host in Host")
    func accepted() async throws {
        let server = try LoopbackServer()
        for (text, host) in Self.accepted {
            let target = try TargetURI(text.replacing("@@", with: "\(server.port)"))
            #expect(target.host == host)
            _ = try await CurlTransport.shared.send(NetworkRequest(target: target), cancellation: LoadCancellation())
            #expect(server.log.last?["Host"] == "\(host):\(server.port)", "\(text)")
            #expect(server.log.last?.target == String(target.string.dropFirst(target.origin.count)), "\(text)")
        }
        #expect(server.log.count == Self.accepted.count)
    }
}
