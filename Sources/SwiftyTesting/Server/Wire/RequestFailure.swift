// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Why no request could be read from a connection.
enum RequestFailure: Error, Equatable {
    /// The peer ended its stream before the request was complete; between two requests that is the normal end.
    case endOfStream

    /// The peer sent something that is not HTTP/1.1, or more than the server takes.
    case rejected(status: Int, reason: String)

    /// A breach of the protocol, answered with 400.
    static func malformed(_ reason: String) -> RequestFailure { .rejected(status: 400, reason: reason) }
}

/// How the end of a request body is marked (RFC 9112, section 6).
enum BodyFraming: Equatable {
    case none
    case length(Int)
    case chunked
}
