// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// One turn: take the commands, run libcurl's timer, take its messages, keep our own deadlines, wake the callers.
extension EventLoop {
    /// How often the loop's thread looks up while there are commands, in nanoseconds.
    private static let lookoutInterval: Int64 = 1_000_000_000

    /// A turn of the loop's thread, after its wait.
    ///
    /// - Returns: How long it may wait next, in milliseconds, -1 for ever; nil if the loop has ended all transfers and is to
    ///   end itself.
    func turn(after wait: SocketWait) -> Int32? {
        act(on: wait)
        mailbox.take(into: &commands)
        runTurn()
        if isEnding {
            endAll()
            deliver()
            return nil
        }
        return planWait()
    }

    /// A turn of a caller, while the loop's thread waits. Returns whether that must not wait on.
    ///
    /// Only for a transfer that is alone: where there are several, the thread does better, which takes them together. And what
    /// is told of transfers is told on the loop's thread.
    func turnOfCaller() -> Bool {
        guard active.isEmpty, mailbox.takeUnobserved(into: &commands) else { return true }
        runTurn()
        return isEnding || deadline < wakeTime
    }

    private func runTurn() {
        carryOutCommands()
        if isEnding { return }
        runTimer()
        collectFinished()
        collectAnswered()
        endOverdue()
        deliver()
    }

    private func carryOutCommands() {
        now = ccurl_now()
        if commands.isEmpty { return }
        lastCommandTime = now
        for command in commands {
            switch command {
            case .start(let transfer): start(transfer)
            case .cancel(let transfer, let failure): cancel(transfer, with: failure)
            case .shutdown: isEnding = true
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    private func runTimer() {
        guard curlDeadline <= now else { return }
        curlDeadline = .max
        act(on: CURL_SOCKET_TIMEOUT, events: 0)
    }

    private func act(on wait: SocketWait) {
        if wait.ready.isEmpty { return }
        now = ccurl_now()
        for ready in wait.ready where poll.isWanted(ready) { act(on: ready.socket, events: ready.events) }
    }

    private func act(on socket: curl_socket_t, events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, events, &running)
    }

    /// Wakes the callers, after libcurl has been left: one of them may send the next request at once.
    private func deliver() {
        guard !finished.isEmpty else { return }
        for transfer in finished { transfer.resume() }
        finished.removeAll(keepingCapacity: true)
    }

    // MARK: Waiting

    /// When something is to be done though nothing happens.
    private var deadline: Int64 { min(curlDeadline, nextDeadline) }

    /// While there are commands, the thread looks up now and then: who runs the loop in its place for a transfer with a limit
    /// of seconds need not wake it for that.
    private func planWait() -> Int32 {
        let now = ccurl_now()
        let isBusy = now &- lastCommandTime < Self.lookoutInterval
        wakeTime = isBusy ? min(deadline, now &+ Self.lookoutInterval) : deadline
        if wakeTime == .max { return -1 }
        let pause = wakeTime &- now
        return pause <= 0 ? 0 : Int32(clamping: (pause &+ 999_999) / 1_000_000)
    }
}
