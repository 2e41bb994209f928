// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CSimulation

/// Starts the program again without random seeds of hash tables, unless that was done.
public func fixHashing() {
    simulation_fix_hashing(CommandLine.unsafeArgv)
}
