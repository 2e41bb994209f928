// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A connection that libcurl has opened.
struct OpenConnection {
    /// What was received before a request.
    enum EarlyResult {
        case bytes([UInt8])
        case end
        case failed(Channel.Failure)

        var result: Channel.Result {
            switch self {
            case .bytes(let bytes): .bytes(bytes.count)
            case .end: .end
            case .failed(let failure): .failed(failure)
            }
        }
    }

    let channel: Channel
    let facts: ConnectionFacts
    /// What arrived with the end of the TLS handshake.
    let early: EarlyResult?
    /// Whether ALPN has chosen HTTP/2.
    let speaksHTTP2: Bool
}
