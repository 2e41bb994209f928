// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The connections of a loop that are being made, by their numbers.
struct PendingConnections {
    private var attempts: [Int: PendingConnection] = [:]
    private var lastNumber = 0

    var count: Int { attempts.count }
    var isEmpty: Bool { attempts.isEmpty }

    /// The connections in the order in which they were begun.
    var inOrder: [PendingConnection] { attempts.sorted { $0.key < $1.key }.map(\.value) }

    /// The number of the next attempt.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ attempt: PendingConnection) {
        attempts[attempt.number] = attempt
    }

    /// Removes and returns an attempt; `nil` if it was removed before.
    @discardableResult
    mutating func remove(_ number: Int) -> PendingConnection? { attempts.removeValue(forKey: number) }
}
