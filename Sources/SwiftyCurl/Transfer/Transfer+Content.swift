// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

import struct Foundation.Data

extension Transfer {
    /// Copies the next part of the content to where libcurl wants it; 0 at the end.
    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard case .streamed(let data) = content, sentByteCount < data.count else { return 0 }
        let count = min(buffer.count, data.count - sentByteCount)
        let start = data.startIndex + sentByteCount
        data.copyBytes(to: buffer, from: start..<(start + count))
        sentByteCount += count
        return count
    }

    /// Goes back to an earlier part of the content, because libcurl sends the request again.
    func rewindContent(to offset: Int64, origin: Int32) -> Bool {
        guard case .streamed(let data) = content, origin == SEEK_SET, let position = Int(exactly: offset),
            (0...data.count).contains(position)
        else { return false }
        sentByteCount = position
        return true
    }

    /// Takes a part of the response's content, as it is on the wire. Returns false if the transfer is to be ended.
    func receiveContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let action = state.receiveContent(bytes) { state, content in
            if received.append(content, expected: state.expectedBodyByteCount) { return .proceed }
            return state.end(
                .transportFailed,
                stage: .body,
                reason: "there is no memory for the response's content"
            )
        }
        return action == .proceed
    }

    /// The request goes out, perhaps again: what an earlier try left is not part of this one.
    func restart() {
        received.removeAll()
    }
}
