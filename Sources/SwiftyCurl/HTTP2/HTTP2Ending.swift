// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// What is known of the end of an HTTP/2 connection that takes no more requests.
struct HTTP2Ending {
    /// The last stream that the server processes, from its GOAWAY; `nil` if it has sent none.
    private(set) var lastStream: Int32?
    /// The reason why the connection ends, if it is known.
    private(set) var failure: TransferFailure?
    /// Whether the server demands HTTP/1.1 instead.
    private(set) var requiresHTTP1 = false

    /// Whether the connection takes no more requests.
    var hasBegun: Bool { lastStream != nil || failure != nil }

    /// Whether the server has said that it does not process a stream (RFC 9113 §6.8).
    func excludes(_ stream: HTTP2Stream) -> Bool { lastStream.map { $0 < stream.number } ?? false }

    /// Records a GOAWAY.
    mutating func receive(_ frame: ccurl_frame) {
        lastStream = min(lastStream ?? .max, frame.last_stream)
        requiresHTTP1 = requiresHTTP1 || frame.error_code == HTTP2ErrorCode.http11Required.rawValue
        if frame.error_code != HTTP2ErrorCode.noError.rawValue {
            begin(HTTP2Codec.lost("the server ended the connection: \(HTTP2ErrorCode.name(frame.error_code))"))
        }
    }

    /// Records the reason for the end, if none is known yet.
    mutating func begin(_ failure: TransferFailure) {
        self.failure = self.failure ?? failure
    }

    /// Records that nghttp2 takes no more streams.
    mutating func begin() {
        lastStream = lastStream ?? .max
    }
}
