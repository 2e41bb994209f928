// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// A request of another thread to the loop.
enum LoopCommand: Sendable {
    case start(Transfer)
    /// The transfer was cancelled; the code is stored in it.
    case cancel(Transfer)
    /// The reader of a response has drained its buffer.
    case unpause(Transfer)
    /// The source of a request's content has answered.
    case content(Transfer, ContentPump.Answer, ContentPump)
    /// Count the connections.
    case count(@Sendable (ConnectionStatistics) -> Void)
    /// Run a part of a task; see ``LoopExecutor``.
    case run(LoopJob)
    case shutdown
}

/// The channel between the loop and its callers: a queue of commands, and whether the loop is asleep.
///
/// The loop declares itself asleep under the lock that also protects the queue. So either the loop sees a command
/// before it waits, or the sender sees that it has to wake the loop; and a sender never wakes a loop that is awake.
final class Mailbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isAsleep = false
        /// The failure of further commands; `nil` while commands are accepted.
        var failure: TransferFailure?
        var waker: (any Waker)?
    }

    private let state = Mutex(State())

    /// Queues a command. Returns the failure if the loop has ended.
    func post(_ command: LoopCommand) -> TransferFailure? {
        let (failure, waker) = state.withLock { state -> (TransferFailure?, (any Waker)?) in
            if let failure = state.failure { return (failure, nil) }
            state.commands.append(command)
            guard state.isAsleep else { return (nil, nil) }
            state.isAsleep = false
            return (nil, state.waker)
        }
        waker?.wake()
        return failure
    }

    /// Sets the object that wakes the loop. Called on the loop's thread, before its first wait.
    func open(_ waker: any Waker) {
        state.withLock { $0.waker = waker }
    }

    /// Declares the loop awake and swaps all commands for an empty array.
    func take(into commands: inout [LoopCommand]) {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Declares the loop asleep, immediately before the wait. Returns `false` if there is a command to run first.
    func declareAsleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty
            return state.isAsleep
        }
    }

    /// Accepts commands again if they were rejected with this failure. Returns whether they were.
    func reopen(after failure: TransferFailure) -> Bool {
        state.withLock { state in
            guard state.failure == failure else { return false }
            state.failure = nil
            return true
        }
    }

    /// Stops accepting commands, because the loop ends. Returns the commands that were not run.
    func close(with failure: TransferFailure) -> [LoopCommand] {
        state.withLock { state in
            state.failure = failure
            state.isAsleep = false
            state.waker = nil
            let rest = state.commands
            state.commands = []
            return rest
        }
    }
}
