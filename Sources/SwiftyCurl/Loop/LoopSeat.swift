// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// Who has it may run the loop, and nobody else: the loop's thread, or a caller who finds that asleep.
///
/// To wake a thread takes longer than to send a request, and longer still on a virtual machine. Between two turns the thread
/// leaves the seat free, so that a caller can send the request itself. The thread then wakes up for the answer.
final class LoopSeat: Sendable {
    // Safety: the loop is touched by who holds the lock only.
    private struct Occupied: @unchecked Sendable {
        let loop: EventLoop
    }

    private let occupied = Mutex<Occupied?>(nil)

    /// The loop begins. On its thread.
    func open(_ loop: EventLoop) {
        let new = Occupied(loop: loop)
        occupied.withLock { $0 = new }
    }

    /// The loop is about to be freed. On its thread.
    func close() {
        occupied.withLock { $0 = nil }
    }

    /// A turn of the loop's thread, as soon as nobody else has the seat.
    func run<Result: Sendable>(_ turn: (EventLoop) -> Result) -> Result? {
        occupied.withLock { occupied in occupied.map { turn($0.loop) } }
    }

    /// A turn of a caller. Returns whether the loop's thread must be woken to go on; nil if somebody else has the seat.
    func runForCaller() -> Bool? {
        let isBlocked = ccurl_block_sigpipe()
        defer { if isBlocked { ccurl_unblock_sigpipe() } }
        return occupied.withLockIfAvailable { occupied in
            occupied?.loop.turnOfCaller() ?? true
        }
    }

    /// Whether callers may have it at all: not where libcurl waits for events by itself, nor where it waits for the answers of
    /// name servers.
    static let isFreeForCallers: Bool = {
        #if os(Linux)
        CurlLibrary.linked?.features.contains("AsynchDNS") ?? false
        #else
        false
        #endif
    }()
}
