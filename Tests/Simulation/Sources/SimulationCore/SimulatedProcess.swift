// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

/// The process in which histories are played.
public enum SimulatedProcess {
    /// Starts the program again without random seeds of hash tables, unless that was done, and has its output appear
    /// line by line.
    public static func prepare() {
        simulation_fix_hashing(CommandLine.unsafeArgv)
        simulation_prepare_output()
    }

    /// Ends the process at once: what a history has left behind is not waited for.
    public static func exit(_ code: Int32) -> Never {
        simulation_exit(code)
    }
}
