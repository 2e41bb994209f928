// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Foundation

/// The servers, sizes and folders of a run.
struct Bench {
    let nginx: Nginx
    let small: SmallServer
    /// The time of one client in one turn.
    let seconds: Double
    /// Whether sizes are small, for a run that only shows that everything works.
    let isQuick: Bool
    /// Whether each client has one core, and the server another one.
    var isOnOneCore = false
    /// The folder of the project.
    let project: URL

    /// The folder of this package's programs.
    var programs: URL { URL(fileURLWithPath: ChildProcess.myself).deletingLastPathComponent() }

    /// The folder of the clients in other languages, which `Scripts/install-opponents` builds.
    var opponents: URL { project.appendingPathComponent("Benchmarks/.build/opponents") }

    /// The beginning of a command that measures a client: on one core, away from the server's, if that is asked.
    var clientPrefix: [String] { isOnOneCore ? ["taskset", "--cpu-list", "1"] : [] }

    /// The environment in which a program counts its allocations.
    var countingEnvironment: [String: String] {
        ["LD_PRELOAD": programs.appendingPathComponent("libAllocationCounter.so").path]
    }
}
