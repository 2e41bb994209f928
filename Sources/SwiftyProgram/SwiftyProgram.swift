// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCommand

/// The program `swifty`. All of it is in `SwiftyCommand`, which other programs also use.
@main
enum SwiftyProgram {
    static func main() async { await CommandProcess.main() }
}
