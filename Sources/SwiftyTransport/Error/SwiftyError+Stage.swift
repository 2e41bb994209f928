// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// The part of a load in which it failed, in the order of DESIGN's table.
    public enum Stage: String, Sendable, Hashable {
        /// The request as it was written: URL, header fields, body, mock.
        case building
        /// Waiting for a constraint.
        case constraint
        /// In a request interceptor.
        case requestInterceptor
        /// Waiting for the transport.
        case queue
        /// Resolving the host's name.
        case nameLookup
        /// Establishing the connection.
        case connect
        /// The TLS handshake.
        case tls
        /// Sending the request.
        case send
        /// Waiting for the response to begin.
        case firstByte
        /// Receiving the response's status line and header fields.
        case head
        /// Receiving the response's content and trailers.
        case body
        /// Judging the status.
        case validation
        /// In a response interceptor.
        case responseInterceptor
        /// Making a value of the content.
        case decoding
    }

    /// How far a request got: what decides whether it may be sent again.
    public enum SentState: String, Sendable, Hashable {
        /// Certainly nothing reached the server: any request may be sent again.
        case notSent
        /// The server may have received and processed it: only an idempotent request may be sent again.
        case maybeSent
        /// The server answered: what to do follows from its status.
        case responded
    }
}
