// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What an HTTP/2 server sends without end behind the head of a response.
enum Flood: String, CaseIterable {
    // Each byte of content allows five frames without use, so these never exceed what is allowed, except that nghttp2
    // limits the answers to PING that wait to be sent.
    case content
    case contentAndData = "content-data"
    case contentAndWindow = "content-window"
    case contentAndPing = "content-ping"
    // These cost the connection, and the next load meets the next flood.
    case data, window, ping, priority

    /// The frames that are repeated.
    func frames(stream: UInt8) -> [UInt8] {
        let content = HTTP2Frame.bytes(.data, stream, [0])
        let useless = frame(stream)
        switch self {
        case .content: return content
        case .contentAndData, .contentAndWindow, .contentAndPing: return content + useless + useless + useless + useless
        case .data, .window, .ping, .priority: return useless
        }
    }

    private func frame(_ stream: UInt8) -> [UInt8] {
        switch self {
        case .content: []
        case .contentAndData, .data: HTTP2Frame.bytes(.data, stream, [])
        case .contentAndWindow, .window: HTTP2Frame.bytes(.windowUpdate, 0, [0, 0, 0, 1])
        case .contentAndPing, .ping: HTTP2Frame.bytes(.ping, 0, [UInt8](repeating: 7, count: 8))
        case .priority: HTTP2Frame.bytes(.priority, stream, [0, 0, 0, 0, 9])
        }
    }
}

/// Frames of HTTP/2 (RFC 9113 §4.1).
enum HTTP2Frame: UInt8 {
    case data = 0
    case headers = 1
    case priority = 2
    case settings = 4
    case ping = 6
    case windowUpdate = 8

    static func bytes(_ type: HTTP2Frame, _ stream: UInt8, _ payload: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        [0, 0, UInt8(payload.count), type.rawValue, flags, 0, 0, 0, stream] + payload
    }
}
