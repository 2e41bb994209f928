// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The spellings of one host, and similar spellings of other hosts.
struct HostSpellings: Sendable, CustomTestStringConvertible {
    let normal: String
    let spellings: [String]
    let others: [String]

    var testDescription: String { normal }

    static let name = HostSpellings(
        normal: "api.example.test",
        spellings: ["api.example.test", "API.Example.TEST", "api.example.test.", "aPI.example.test."],
        others: ["example.test", "xapi.example.test", "api.example.test.evil", "apizexample.test", "api.example.tes"]
    )

    static let ipv4 = HostSpellings(
        normal: "127.0.0.1",
        spellings: [
            "127.0.0.1", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[0:0:0:0:0:ffff:7F00:0001]",
            "[0::ffff:127.0.0.1]",
        ],
        others: ["127.0.0.10", "1.127.0.0", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "127.0.0.1.example.test"]
    )

    static let ipv6 = HostSpellings(
        normal: "[2001:db8::1]",
        spellings: [
            "[2001:db8::1]", "[2001:DB8::0001]", "[2001:0db8:0:0:0:0:0:1]", "[2001:db8:0000::0.0.0.1]",
            "[2001:db8:0:0::1]",
        ],
        others: ["[2001:db8::10]", "[2001:db8:1::]", "[2001:db8::1:1]", "[::1]"]
    )

    static let all = [name, ipv4, ipv6]

    /// Spellings that some resolvers read as one of the hosts above, and spellings of no host: URLs and rules with them
    /// are refused.
    static let refused = [
        "127.1", "127.0.1", "0x7f.1", "0x7f.0.0.1", "0X7F000001", "0177.0.0.1", "017700000001", "2130706433",
        "127.0.0.01", "127.0.0.1..", "[127.0.0.1]", "[::ffff:127.1]", "[::ffff:0177.0.0.1]", "[2001:db8::1%25lo]",
        "[2001:db8::1%lo]", "[fe80::1%25eth0]", "api%2eexample.test", "%61pi.example.test", "api.example.test%2e",
        "api.ex\u{e4}mple.test", "api\u{3002}example.test", "\u{ff41}pi.example.test", "\u{2460}27.0.0.1",
        "api.example.test..", "api..example.test", "api.example.test:80:80",
        "api.example.test\\", "",
    ]
}
