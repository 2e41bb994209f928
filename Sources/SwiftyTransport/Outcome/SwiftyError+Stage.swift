// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SwiftyError {
    /// A part of a load, in the order in which a load passes them.
    public enum Stage: String, Sendable, Hashable {
        /// Building the request: URL, header fields, content, mock.
        case building
        /// Waiting for a constraint.
        case constraint
        /// In a request interceptor.
        case requestInterceptor
        /// Waiting for admission, or for the start of the transfer.
        case queue
        /// Resolving the host's name.
        case nameLookup
        /// Establishing the connection.
        case connect
        /// The TLS handshake.
        case tls
        /// Sending the request.
        case send
        /// Waiting for the first byte of the response.
        case firstByte
        /// Receiving the response's status line and header fields.
        case head
        /// Receiving the response's content and trailers.
        case content
        /// Validating the status.
        case validation
        /// In a response interceptor.
        case responseInterceptor
        /// Decoding the content as a value.
        case decoding
    }

    /// How far a request got, which decides whether it may be sent again.
    public enum SentState: String, Sendable, Hashable {
        /// Nothing reached the server: any request may be sent again.
        case notSent
        /// The server may have received and processed the request: only an idempotent one may be sent again.
        case maybeSent
        /// A response arrived: its status decides.
        case responded
    }
}
