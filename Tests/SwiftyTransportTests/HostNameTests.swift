// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("The host of a URI")
struct HostNameTests {
    @Test(
        "is an IPv6 address in one of the standard's forms",
        arguments: [
            "[::]", "[::1]", "[1::]", "[1:2:3:4:5:6:7:8]", "[2001:DB8::1]", "[::ffff:127.0.0.1]",
            "[1:2:3:4:5:6:1.2.3.4]",
            "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[64:ff9b::127.0.0.1]",
        ]
    )
    func address(host: String) throws {
        #expect(try TargetURI("http://\(host)/").host == host.lowercased())
    }

    @Test(
        "is no IPv6 address if a group is missing, too much or malformed",
        arguments: [
            "[]", "[:]", "[:::]", "[:::1]", "[1]", "[1:2]", "[1::2::3]", "[12345::]", "[1:2:3:4:5:6:7]",
            "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]", "[::127.1]", "[::0177.0.0.1]", "[1.2.3.4::]", "[::1.2.3.4:5]",
            "[::1%25lo]", "[::1%lo]", "[::g]", "[127.0.0.1]", "[::1", "::1]", "[::1]]", "[[::1]]", "[::1]x", "[v1.a]",
        ]
    )
    func noAddress(host: String) {
        #expect(throws: InvalidTargetURI.self) { try TargetURI("http://\(host)/") }
    }
}
