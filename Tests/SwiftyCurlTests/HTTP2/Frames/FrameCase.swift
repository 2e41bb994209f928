// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The frames that a server responds with, and what must follow.
struct FrameCase: Sendable, CustomStringConvertible {
    /// The place where a server sends the frames; see `Tests/Peers/http2_frames.py`.
    enum Place: String {
        case frames
        case first
        case close
    }

    /// What a client does, by the sections 5.4 of RFC 9113 or by that of the case.
    struct Outcome: Sendable {
        /// The error of the load; `nil` if it succeeds.
        var error: SwiftyError.Code?
        /// A part of the error's reason.
        var reason = ""
        /// The last frame that the client sends to the server for it; `nil` if there is no such frame.
        var reply: String?
        /// Whether the next load uses the connection.
        var isReused = true

        var description: String {
            let parts = [error.map { "\($0)" } ?? "success", reply ?? "no frame", isReused ? "reused" : "not reused"]
            return parts.joined(separator: ", ")
        }
    }

    let name: String
    /// The section of RFC 9113, or of RFC 7541 with "H" before it.
    let section: String
    let place: Place
    let frames: [UInt8]
    let outcome: Outcome
    /// The content of the response.
    let text: String
    /// The reason why the outcome is another one than the RFC's; `nil` if it is that one.
    let deviation: String?

    var description: String { "\(name), \(section)" }

    init(
        _ name: String,
        _ section: String,
        _ frames: [UInt8],
        _ outcome: Outcome,
        at place: Place = .frames,
        text: String = "ok",
        deviation: String? = nil
    ) {
        (self.name, self.section, self.frames, self.outcome) = (name, section, frames, outcome)
        (self.place, self.text, self.deviation) = (place, text, deviation)
    }
}

extension FrameCase.Outcome {
    /// The load succeeds.
    static let success = Self()
    /// The load succeeds on a connection that is used no further.
    static let last = Self(isReused: false)

    /// The load succeeds, and the client responds with a frame.
    static func success(reply: String) -> Self { Self(reply: reply) }

    /// The load succeeds; then the client ends the connection, with this code of an error.
    static func end(_ code: UInt32) -> Self { Self(reply: "GOAWAY \(code)", isReused: false) }

    /// An error of the stream, whose connection lives.
    static func stream(_ code: UInt32, _ error: SwiftyError.Code = .malformedResponse) -> Self {
        Self(error: error, reply: "RST_STREAM \(code)")
    }

    /// An error of the connection.
    static func connection(_ code: UInt32) -> Self {
        Self(error: .malformedResponse, reply: "GOAWAY \(code)", isReused: false)
    }

    /// The server has ended the exchange by itself, with the connection or without.
    static func lost(_ reason: String, isReused: Bool) -> Self {
        Self(error: .connectionLost, reason: reason, isReused: isReused)
    }
}
