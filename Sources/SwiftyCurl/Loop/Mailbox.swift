// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What other threads ask of the loop.
enum LoopCommand: Sendable {
    case start(Transfer)
    case cancel(Transfer, TransferFailure)
    case shutdown

    /// Whether somebody is to be told what happens to the transfer that is started.
    fileprivate var isObserved: Bool {
        if case .start(let transfer) = self { transfer.report != nil } else { false }
    }
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

    /// What becomes of a command.
    enum Receipt {
        /// The loop has ended.
        case refused(TransferFailure)
        /// Whoever runs the loop now will take it.
        case queued
        /// The loop is asleep. It is the sender's part, and nobody else's, to wake it or to run it.
        case asleep(Waker)
    }

    /// Queues a command.
    func post(_ command: LoopCommand) -> Receipt {
        state.withLock { state in
            if let refusal = state.refusal { return .refused(refusal) }
            state.commands.append(command)
            guard state.isAsleep, let waker = state.waker else { return .queued }
            state.isAsleep = false
            return .asleep(waker)
        }
    }

    /// Queues a command, and wakes the loop if it is asleep. Returns why the command is refused if the loop has ended.
    func send(_ command: LoopCommand) -> TransferFailure? {
        switch post(command) {
        case .refused(let failure): return failure
        case .queued: return nil
        case .asleep(let waker):
            waker.wake()
            return nil
        }
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

    /// The same, unless there is a transfer of which somebody is to be told something. Returns whether they were taken.
    func takeUnobserved(into commands: inout [LoopCommand]) -> Bool {
        state.withLock { state in
            if state.commands.contains(where: \.isObserved) { return false }
            swap(&state.commands, &commands)
            return true
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
