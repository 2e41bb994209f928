// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A connection that was made.
struct OpenConnection {
    let channel: any Channel
    let facts: ConnectionFacts
    /// The bytes that arrived with the end of the TLS handshake, before a request.
    let early: [UInt8]
    /// Whether ALPN has chosen HTTP/2.
    let speaksHTTP2: Bool
}
