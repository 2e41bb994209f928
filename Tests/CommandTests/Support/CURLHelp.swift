// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The options that the installed curl lists.
enum CURLHelp {
    struct Option {
        let letter: String?
        let name: String
        let takesValue: Bool
    }

    static func options() async throws -> [Option] {
        let run = try await Program.run(ExternalProgram.path("curl"), ["--help", "all"])
        let options = run.output.split(separator: "\n").compactMap(option)
        try #require(options.count > 200)
        return options
    }

    /// ` -X, --request <method> Specify request method to use`
    private static func option(_ line: Substring) -> Option? {
        guard let match = line.wholeMatch(of: #/\s+(?:-(.), )?--([a-z0-9.-]+)( [<\[]\S+.*)? ?.*/#) else { return nil }
        return Option(letter: match.1.map(String.init), name: String(match.2), takesValue: match.3 != nil)
    }

    /// A valid value of the option.
    static func sample(_ name: String) -> String {
        let samples = [
            "max-time": "5", "connect-timeout": "5", "retry": "2", "max-redirs": "3", "user": "a:b", "header": "X: 1",
            "form": "f=x", "form-string": "f=x", "json": #"{"a":1}"#, "data": "a=1", "data-urlencode": "a=b c",
            "url-query": "a=1",
            "cookie": "a=1", "request": "PUT", "output": "out.html", "max-filesize": "5", "range": "0-9", "rate": "2",
            "resolve": "a.test:80:127.0.0.1", "proxy": "http://127.0.0.1:1", "url": "http://a.test/",
            "socks5": "127.0.0.1:1",
            "socks5-hostname": "127.0.0.1:1",
            "pinnedpubkey": "sha256//\(Data(repeating: 7, count: 32).base64EncodedString())",
            "speed-time": "9", "limit-rate": "10k", "continue-at": "-",
        ]
        return samples[name] ?? "x"
    }
}
