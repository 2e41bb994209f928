// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What other threads ask of the loop.
enum LoopCommand: Sendable {
    case start(Transfer)
    case cancel(Transfer, TransferFailure)
    case shutdown
}

/// The place where the loop and its callers meet: a queue of commands, and whether the loop is asleep.
///
/// The loop declares itself asleep under the same lock under which commands are queued. So either a command is seen before
/// the wait, or its sender sees that it has to wake the loop; and a sender never wakes a loop that is awake.
final class Mailbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var isAsleep = false
        /// Why no more commands are taken; nil while they are.
        var refusal: TransferFailure?
        var waker: Waker?
    }

    private let state = Mutex(State())

    /// Queues a command. Returns why it is refused if the loop has ended.
    func post(_ command: LoopCommand) -> TransferFailure? {
        let (refusal, waker) = state.withLock { state -> (TransferFailure?, Waker?) in
            if let refusal = state.refusal { return (refusal, nil) }
            state.commands.append(command)
            guard state.isAsleep else { return (nil, nil) }
            state.isAsleep = false
            return (nil, state.waker)
        }
        waker?.wake()
        return refusal
    }

    /// Says how the loop is woken. On the loop's thread, before its first wait.
    func open(_ waker: Waker) {
        state.withLock { $0.waker = waker }
    }

    /// The loop is awake: swaps all commands for an empty array.
    func take(into commands: inout [LoopCommand]) {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Immediately before the wait. Returns false if there is something to do first.
    func declareAsleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty
            return state.isAsleep
        }
    }

    /// Takes commands again, if it was this that they were refused with. Returns whether it was.
    func reopen(after refusal: TransferFailure) -> Bool {
        state.withLock { state in
            guard state.refusal == refusal else { return false }
            state.refusal = nil
            return true
        }
    }

    /// The loop ends: no more commands. Returns those that nobody will carry out.
    func close(with refusal: TransferFailure) -> [LoopCommand] {
        state.withLock { state in
            state.refusal = refusal
            state.isAsleep = false
            state.waker = nil
            let rest = state.commands
            state.commands = []
            return rest
        }
    }
}
