// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CServer

/// Requests a few bytes from a server on 127.0.0.1, without the clients under test.
package struct LocalQuestion: Sendable {
    package let port: Int
    package let path: String

    package init(port: Int, path: String) {
        self.port = port
        self.path = path
    }

    /// The content of the response; `nil` if there was none. Blocks for a moment.
    package var answer: String? {
        var content = [CChar](repeating: 0, count: 1_024)
        let length = ask(Int32(port), path, &content, Int32(content.count))
        guard length >= 0 else { return nil }
        return String(decoding: content.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
