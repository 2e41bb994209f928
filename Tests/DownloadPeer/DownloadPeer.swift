// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import WebServiceDSL

/// A program that downloads a URL to a path and prints the number of bytes that it did not load again; for tests that
/// kill it.
@main
enum DownloadPeer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { return print("usage: DownloadPeer URL PATH") }
        var policy = DownloadPolicy(computesSHA256: arguments.count == 3)
        // A test has no time for the usual one.
        policy.checkpointInterval = .milliseconds(20)
        let resource = BaseResource(arguments[1], networkInterface: Swifty.shared).get("")
        let file = try await resource.download(to: arguments[2], policy: policy)
        print(file.resumedFrom, file.sha256 ?? "")
    }
}
