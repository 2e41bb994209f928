// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Starts programs that load once and exit with the response.
struct ColdStartWorkload: Workload {
    let name = "cold-start"
    let title = "cold start: from the start of a process to its exit after one response"
    let compared: [Metric] = [.milliseconds]
    let contestants = ColdStartProgram.allCases.map(\.client.rawValue)

    private static let starts = 20

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var times: [String: [Double]] = [:]
        for _ in 0..<Self.starts {
            for program in order.compactMap(ColdStartProgram.init(client:)) {
                let words = program.command(in: bench.programs, url: bench.nginx.url + "/small", count: 1)
                times[program.client.rawValue, default: []].append(try Launch.time(words) / .milliseconds(1))
            }
        }
        return times.compactMapValues { Samples($0).map { [.milliseconds: $0.median] } }
    }
}

/// The smallest program with each client; none links another client.
enum ColdStartProgram: String, CaseIterable {
    case swifty = "cold-start-swifty"
    case asyncHTTPClient = "cold-start-async-http-client"
    case floor = "cold-start-floor"

    var client: ClientName {
        switch self {
        case .swifty: .swifty
        case .asyncHTTPClient: .asyncHTTPClient
        case .floor: .floor
        }
    }

    init?(client: String) {
        guard let program = Self.allCases.first(where: { $0.client.rawValue == client }) else { return nil }
        self = program
    }

    func command(in folder: URL, url: String, count: Int) -> [String] {
        [folder.appendingPathComponent(rawValue).path, url, "\(count)"]
    }
}
