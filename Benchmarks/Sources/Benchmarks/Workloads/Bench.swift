// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Foundation

/// What workloads are run with.
struct Bench {
    let nginx: Nginx
    let small: SmallServer
    /// How long one client is measured in one turn.
    let seconds: Double
    /// Whether sizes are kept small, for a run that only shows that everything works.
    let isQuick: Bool
    /// The folder of the project.
    let project: URL

    /// Where the programs of this package are.
    var programs: URL { URL(fileURLWithPath: ChildProcess.myself).deletingLastPathComponent() }

    /// Makes a program count its allocations.
    var countingEnvironment: [String: String] {
        ["LD_PRELOAD": programs.appendingPathComponent("libAllocationCounter.so").path]
    }
}
