// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The numbers of loads, unique in the process: the upper 24 bits are the number of the `Swifty`, from 1.
enum LoadNumber {
    private static let bitsOfLoad = 40
    private static let instances = Atomic<UInt64>(0)

    /// The number before that of the first load of a new instance.
    static func ofNewInstance() -> UInt64 {
        instances.wrappingAdd(1, ordering: .relaxed).newValue << bitsOfLoad
    }

    /// The number of the instance of a load.
    static func instance(of load: UInt64) -> Int { Int(load >> bitsOfLoad) }
}
