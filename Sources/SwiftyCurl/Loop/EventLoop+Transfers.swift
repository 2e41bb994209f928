// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EventLoop {
    /// Gives the transfer to libcurl, with an idle or new handle.
    func start(_ transfer: Transfer) {
        // The transfer was cancelled before the loop took it.
        if let failure = transfer.state.failure { return finish(transfer, TransferOutcome(failure: failure)) }
        if transfer.usesPool { return startOnWire(transfer) }
        guard let handle = takeHandle() else {
            return finish(transfer, TransferOutcome(failure: .noHandle))
        }
        handle.started = now
        let code = begin(transfer, on: handle)
        guard code == CURLE_OK else {
            handle.transfer = nil
            let failure = TransferFailure(
                curlCode: code,
                text: String(cString: curl_easy_strerror(code)),
                phase: TransferPhase(stage: .queue, sent: .notSent)
            )
            return finish(transfer, TransferOutcome(failure: failure))
        }
        transfer.place = .active(index: active.count)
        active.append(ActiveTransfer(transfer: transfer, handle: handle))
        watchDeadlines(of: transfer)
    }

    private func begin(_ transfer: Transfer, on handle: EasyHandle) -> CURLcode {
        let code = handle.prepare(for: transfer)
        guard code == CURLE_OK else { return code }
        return curl_multi_add_handle(multi, handle.curl) == CURLM_OK ? CURLE_OK : CURLE_FAILED_INIT
    }

    /// Ends a transfer. Its connection is closed, or with HTTP/2 its stream is reset.
    func cancel(_ transfer: Transfer, with failure: TransferFailure) {
        switch transfer.place {
        case .ended:
            return
        case .waiting:
            transfer.state.end(failure.code, stage: .queue, reason: failure.reason)
        case .onWire: interrupt(transfer, with: failure)
        case .active(let index):
            let handle = active[index].handle
            var failure = failure
            failure.stage = handle.phase(of: transfer).stage
            end(transfer, on: handle, with: failure)
        }
    }

    /// Ends an active transfer. The transfer's state says whether it was sent.
    func end(_ transfer: Transfer, on handle: EasyHandle, with failure: TransferFailure) {
        transfer.state.end(failure.code, stage: failure.stage, reason: failure.reason)
        remove(transfer, from: handle, outcome: TransferOutcome(failure: transfer.state.failure))
    }

    /// Takes the transfers that libcurl has ended.
    func collectFinished() {
        var curl: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while ccurl_multi_next_finished(multi, &curl, &code) {
            guard let curl else { continue }
            switch CurlHandle.owner(of: curl) {
            case let connector as Connector: pool.finish(connector, code)
            case let handle as EasyHandle:
                if let transfer = handle.transfer { conclude(transfer, on: handle, code: code) }
            default: break
            }
        }
    }

    /// The handle of an active transfer; `nil` before its start and after its end.
    func handle(of transfer: Transfer) -> EasyHandle? {
        guard case .active(let index) = transfer.place else { return nil }
        return active[index].handle
    }

    /// Notes a response that is complete while the request's content is still being sent, or although libcurl does not
    /// know it. With HTTP/2, libcurl would wait for room to send the rest, which a server that has responded need not
    /// give.
    func noteIfRespondedEarly(_ transfer: Transfer) {
        guard transfer.content.count > 0 || transfer.state.head.isLengthIgnored, transfer.state.isResponseComplete
        else {
            return
        }
        respondedEarly.append(transfer)
    }

    /// Closes the connection after this transfer, because its response is ambiguous or bytes followed it.
    func forbidReuse(by transfer: Transfer) {
        handle(of: transfer)?.forbidReuse()
    }

    /// Ends the transfers whose responses were complete before their requests were sent.
    func endRespondedEarly() {
        guard !respondedEarly.isEmpty else { return }
        for transfer in respondedEarly {
            guard let handle = handle(of: transfer), transfer.state.isResponseComplete,
                transfer.state.failure == nil, !endsByItself(transfer, on: handle)
            else { continue }
            remove(transfer, from: handle, outcome: TransferOutcome())
        }
        respondedEarly.removeAll(keepingCapacity: true)
    }

    /// Whether libcurl will end the transfer by itself. With HTTP/2, content that libcurl counts as sent may still
    /// wait, but ending a stream there costs no connection.
    private func endsByItself(_ transfer: Transfer, on handle: EasyHandle) -> Bool {
        let head = transfer.state.head
        return head.isHTTP1 && !head.isLengthIgnored && handle.uploadedByteCount >= transfer.content.count
    }

    private func conclude(_ transfer: Transfer, on handle: EasyHandle, code: CURLcode) {
        let ending = transfer.state.finish(
            code,
            requiresRetry: handle.requiresRetry,
            text: handle.errorDescription,
            phase: handle.phase(of: transfer)
        )
        switch ending {
        case .response:
            remove(transfer, from: handle, outcome: TransferOutcome())
        case .failure(var failure):
            if transfer.state.failure == nil {
                explain(&failure, code, handle, transfer)
                if failure.stage == .tls, handle.applied.readsCertificates {
                    transfer.certificates = handle.shownCertificates()
                }
                failure.explainTLS(
                    host: transfer.target.host,
                    pins: transfer.hostRules?.pins,
                    certificates: transfer.certificates,
                    identity: environment.settings.tls.identity
                )
            }
            remove(transfer, from: handle, outcome: TransferOutcome(failure: failure))
        case .retryOnNewConnection:
            retryOnNewConnection(transfer, on: handle)
        case .retryWithoutExpect:
            transfer.dropExpectation(userAgent: environment.userAgentField)
            retryOnNewConnection(transfer, on: handle)
        }
    }

    private func explain(
        _ failure: inout TransferFailure,
        _ code: CURLcode,
        _ handle: EasyHandle,
        _ transfer: Transfer
    ) {
        let hop = handle.proxyHop(of: transfer)
        failure.explain(
            code,
            systemError: ccurl_get_long(handle.curl, CURLINFO_OS_ERRNO),
            host: hop?.hostOfTLS(failure) ?? transfer.target.host,
            peer: hop?.proxy.address ?? transfer.request.connectsTo ?? HostAndPort(of: transfer.target),
            // `now` may be older than the time by which libcurl ended the transfer.
            overdue: transfer.deadlines.overdue(at: ccurl_now())
        )
        hop?.explain(&failure, code)
        failure.explain(curlCode: code, handle.socketError)
    }

    /// Forbids the reuse of a connection whose server responded without asking for the content: it may still wait for
    /// the content, and libcurl would keep the connection.
    private func forbidReuseIfContentWasNotSent(_ transfer: Transfer) {
        guard transfer.state.expectsContinue, transfer.state.head.isComplete,
            let handle = handle(of: transfer),
            handle.uploadedByteCount < transfer.content.count
        else { return }
        for socket in transfer.sockets { poll.table.forbidReuse(of: socket) }
    }

    /// Counts a step of a transfer through a proxy, and ends the transfer if the proxy's response to CONNECT is
    /// endless. Returns whether it did.
    func endIfProxyIsEndless(_ transfer: Transfer) -> Bool {
        guard let handle = handle(of: transfer), handle.isConnecting else { return false }
        handle.stepCount += 1
        guard handle.stepCount > EasyHandle.setUpStepLimit else { return false }
        let reason = "the proxy refused the tunnel with more than \(EasyHandle.setUpStepLimit) bytes"
        transfer.state.end(.proxyFailed, stage: .connect, reason: reason)
        return true
    }

    /// Notes, when part of a response arrives, whether content that waited for a 100 response is being sent.
    func noteIfUploading(_ transfer: Transfer) {
        guard let handle = handle(of: transfer), handle.uploadedByteCount > 0 else { return }
        transfer.state.beginContent()
    }

    /// Repeats a request that counts as not sent on a new connection.
    private func retryOnNewConnection(_ transfer: Transfer, on handle: EasyHandle) {
        guard case .active(let index) = transfer.place else { return }
        let started = handle.started
        release(handle, from: transfer, hasResponse: false)
        transfer.requiresNewConnection = true
        transfer.sentByteCount = 0
        transfer.deadlines.restart(at: now)
        guard let next = takeHandle() else {
            forget(index)
            return finish(transfer, TransferOutcome(failure: .noHandle))
        }
        next.started = started
        active[index].handle = next
        let code = begin(transfer, on: next)
        guard code != CURLE_OK else { return watchDeadlines(of: transfer) }
        let failure = TransferFailure(curlCode: code, text: "", phase: TransferPhase(stage: .queue, sent: .notSent))
        remove(transfer, from: next, outcome: TransferOutcome(failure: failure))
    }

    private func remove(_ transfer: Transfer, from handle: EasyHandle, outcome: TransferOutcome) {
        var outcome = outcome
        outcome.measurements = handle.measurements(endedAt: now)
        if outcome.failure == nil { transfer.report?.reportEnd() }
        release(handle, from: transfer, hasResponse: outcome.failure == nil)
        if case .active(let index) = transfer.place { forget(index) }
        finish(transfer, outcome)
    }

    /// Removes the handle from libcurl first: only then may the objects that its callbacks use be released.
    private func release(_ handle: EasyHandle, from transfer: Transfer, hasResponse: Bool) {
        let isDetained = !hasResponse && detain(handle, of: transfer)
        handle.disableExcessText()
        curl_multi_remove_handle(multi, handle.curl)
        handle.transfer = nil
        if !isDetained, idleHandles.count < 256 { idleHandles.append(handle) }
        releaseSockets(of: transfer)
    }

    private func takeHandle() -> EasyHandle? {
        idleHandles.popLast() ?? EasyHandle(loop: self)
    }

    /// The end of a head or of the trailers arrived; the final response may still follow.
    func receiveHeadEnd(for transfer: Transfer) {
        guard transfer.state.head.isComplete, let handle = handle(of: transfer) else { return }
        handle.apply(transfer.state.connectionPolicy)
        reportHead(of: transfer)
        forbidReuseIfContentWasNotSent(transfer)
        noteIfRespondedEarly(transfer)
    }

    /// Reports the final head. The end of a request that the server did not wait for is not reported.
    private func reportHead(of transfer: Transfer) {
        guard transfer.report != nil, transfer.state.head.isComplete, let statusCode = transfer.state.head.statusCode,
            let handle = handle(of: transfer)
        else { return }
        transfer.report?.report(sent: Int(clamping: handle.uploadedByteCount), of: transfer.content.count, at: now)
        transfer.report?.reportHead(statusCode: statusCode, contentLength: transfer.state.head.contentLength)
    }

    private func forget(_ index: Int) {
        guard let last = active.popLast(), index < active.count else { return }
        active[index] = last
        last.transfer.place = .active(index: index)
    }

    private func finish(_ transfer: Transfer, _ outcome: TransferOutcome) {
        transfer.end(outcome)
        finished.append(transfer)
    }

    /// Ends all transfers after a failure of libcurl itself, for lack of memory: it does not report which transfers it
    /// has lost, and would not continue them.
    func abandonTransfers() {
        collectFinished()
        for transfer in active.lazy.map(\.transfer) { cancel(transfer, with: .outOfMemory) }
        for transfer in exchanges { cancel(transfer, with: .outOfMemory) }
    }

    /// Ends all transfers, because the loop ends.
    func endAll() {
        collectFinished()
        for transfer in active.lazy.map(\.transfer) { cancel(transfer, with: .shutdown) }
        for transfer in exchanges { cancel(transfer, with: .shutdown) }
        pool.closeAll()
    }
}

extension TransferFailure {
    static let outOfMemory = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "libcurl could not continue: out of memory"
    )

    static let noHandle = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "libcurl could not be set up: out of memory, or a version that lacks an option"
    )
}
