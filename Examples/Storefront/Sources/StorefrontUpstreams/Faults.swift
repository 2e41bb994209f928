// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is wrong with an upstream, on purpose: the same requests fail in each run.
public final class Faults: Sendable {
    /// What happens to a request before it is answered.
    enum Fault {
        case none
        case delay(Duration)
        case busy
    }

    private let busyEvery: Int
    private let delayEvery: Int
    private let delay: Duration
    private let count = Atomic(0)

    /// Makes a plan of faults.
    ///
    /// - Parameters:
    ///   - busyEvery: One of so many requests is answered with 503; 0 for none.
    ///   - delayEvery: One of so many requests is answered late; 0 for none.
    ///   - delay: How much later.
    public init(busyEvery: Int, delayEvery: Int, delay: Duration = .milliseconds(150)) {
        (self.busyEvery, self.delayEvery, self.delay) = (busyEvery, delayEvery, delay)
    }

    /// No faults at all.
    public static let none = Faults(busyEvery: 0, delayEvery: 0)

    func next() -> Fault {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        if busyEvery > 0, number % busyEvery == 0 { return .busy }
        if delayEvery > 0, number % delayEvery == 0 { return .delay(delay) }
        return .none
    }
}
