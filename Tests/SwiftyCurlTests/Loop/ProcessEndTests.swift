// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The end of a process whose transports use TLS at that moment.
@Suite("The end of the process", .timeLimit(.minutes(60)))
struct ProcessEndTests {
    static let kinds = [
        "loads", "load", "loops", "released", "shared", "streams", "shutdown", "other-thread", "handler",
        "blocked-handler", "executor", "late-load",
    ]

    /// The runs of each kind. With a sanitizer, the program is slow to start.
    private static let count = Thoroughness.isSanitized ? 5 : Thoroughness.isDeep ? 100 : 20

    @Test("is the one that the program wants, whatever its transports are doing", arguments: kinds)
    func ending(kind: String) async throws {
        let server = try await NginxServer.start()
        let arguments = [kind, server.url, server.certificateAuthority]
        for run in 0..<Self.count {
            let program = try await Program.run("EndingPeer", arguments)
            #expect(program.status == 0, "run \(run): \(program.errors)")
            #expect(program.errors == "", "run \(run)")
        }
    }
}
