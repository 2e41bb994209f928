// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// What a response's head asks for its connection, while the transfer is going on. libcurl looks at these options when it
// gets to the point, so that they can still be changed in its callbacks.

extension EasyHandle {
    /// Does what the head asks for; most ask for nothing.
    func takeCare(_ care: TransferState.ConnectionCare) {
        if care == TransferState.ConnectionCare() { return }
        if care.forbidsReuse { forbidReuse() }
        if care.needsWatching { watch() }
        if care.needsProofOfEnd { followEnd() }
    }

    /// Makes libcurl close the connection after this transfer.
    func forbidReuse() {
        applied.forbidsReuse = true
        ccurl_set_long(curl, CURLOPT_FORBID_REUSE, 1)
    }

    /// Ends what ``forbidReuse()`` began, unless the settings let no connection be used twice.
    func allowReuse() {
        guard applied.forbidsReuse, !loop.configuration.settings.connections.forbidsReuse else { return }
        applied.forbidsReuse = false
        ccurl_set_long(curl, CURLOPT_FORBID_REUSE, 0)
    }

    /// Makes libcurl call after each step, the last one included, when the TLS connection is still there to be asked.
    private func followEnd() {
        applied.isReported = true
        ccurl_set_long(curl, CURLOPT_NOPROGRESS, 0)
    }

    /// Makes libcurl say what it finds: bytes behind a response's end it only mentions.
    private func watch() {
        applied.isWatched = true
        applyVerbosity()
    }

    /// Ends the watching.
    func stopWatching() {
        guard applied.isWatched else { return }
        applied.isWatched = false
        applyVerbosity()
    }

    /// libcurl speaks as long as somebody listens: to what it says of a stream, or of bytes behind a response's end.
    @discardableResult
    func applyVerbosity() -> CURLcode {
        ccurl_set_long(curl, CURLOPT_VERBOSE, applied.isWatched || applied.isListening ? 1 : 0)
    }
}
