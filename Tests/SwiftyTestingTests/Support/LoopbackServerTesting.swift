// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting

/// A suite that has a server of its own for each test.
protocol LoopbackServerTesting {
    var server: LoopbackServer { get }
}
