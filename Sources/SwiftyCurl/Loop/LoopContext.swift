// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// What the loop's thread starts with: everything but the object that started it.
final class LoopContext: Sendable {
    let mailbox: Mailbox
    let completion: LoopCompletion
    let configuration: CurlTransport.Configuration

    init(mailbox: Mailbox, completion: LoopCompletion, configuration: CurlTransport.Configuration) {
        self.mailbox = mailbox
        self.completion = completion
        self.configuration = configuration
    }

    func startThread(named name: String) -> ccurl_thread_t? {
        let context = Unmanaged.passRetained(self)
        let thread = ccurl_thread_start(
            name,
            { Unmanaged<LoopContext>.fromOpaque($0).takeRetainedValue().run() },
            context.toOpaque()
        )
        if thread == nil { context.release() }
        return thread
    }

    private func run() {
        if let loop = EventLoop(configuration: configuration, mailbox: mailbox) { loop.run() }
        refuseTheRest()
        completion.signal()
    }

    /// Ends what was queued while the loop ended, or could not begin.
    private func refuseTheRest() {
        for case .start(let transfer) in mailbox.close() {
            transfer.end(TransferOutcome(failure: .shutdown))
            transfer.resume()
        }
    }
}
