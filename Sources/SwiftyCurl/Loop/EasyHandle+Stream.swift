// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Whether the server said that it will not look at the request: by refusing its stream, or with GOAWAY.
    ///
    /// A server that has begun to answer it, in this try or an earlier one, has looked at it, whatever it says; also one that has
    /// reset its stream for another reason, as far as libcurl tells.
    var isUnseen: Bool {
        guard stream.isRefused || stream.isBeyondLast && !errorDescription.hasPrefix("HTTP/2 stream ") else {
            return false
        }
        return !ccurl_received_status(curl)
    }

    /// Whether to send the request again, on a new connection: libcurl does so when a stream was refused, but not after GOAWAY.
    var isLeftOut: Bool {
        !stream.isRefused && isUnseen
    }

    /// Takes a remark of libcurl's. Of a GOAWAY it tells one of the transfers that share the connection, whichever was reading;
    /// it is for all of them.
    func note(_ remark: UnsafeBufferPointer<UInt8>) {
        let lastStream = stream.lastStream
        stream.note(remark)
        guard stream.lastStream != lastStream, let last = stream.lastStream, let socket = transfer?.socket else {
            return
        }
        for other in loop.active where other.socket == socket {
            if case .active(let handle, _) = other.place { handle.stream.lastStream = last }
        }
    }
}
