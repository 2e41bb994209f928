// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Loads beside a load whose server floods it, on the same loop.
struct FloodWorkload: Workload {
    let name = "flood-http2"
    let title = "small JSON, HTTP/1.1, 4 in flight, beside a server that floods a load of HTTP/2"
    let compared: [Metric] = []
    let contestants = [alone] + Flood.allCases.map(\.rawValue)

    private static let alone = "alone"

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for contestant in order {
            figures[contestant] = try measure(contestant, bench)
        }
        return figures
    }

    private func measure(_ contestant: String, _ bench: Bench) throws -> Figures? {
        let task = LoadTask(url: bench.nginx.url + "/small", authority: bench.nginx.files.authority, inFlight: 4)
        let words = ["beside", contestant, try JSONArgument(task).text, "--seconds", "\(bench.seconds)"]
        guard contestant != Self.alone else { return try ChildProcess.figures(of: words)[contestant] }
        let port = try FreePort.find()
        let files = bench.nginx.files
        let server = ChildProcess.make([
            ChildProcess.myself, "flood", contestant, "\(port)", files.authority, files.key,
        ])
        try server.run()
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        try FreePort.waitForListener(port)
        return try ChildProcess.figures(of: words + ["--flood", "https://localhost:\(port)"])[contestant]
    }
}
