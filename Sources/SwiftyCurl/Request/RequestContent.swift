// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// The content of a request.
enum RequestContent {
    /// No content, and no `Content-Length`.
    case absent
    /// May be empty.
    case inMemory(Data)
    /// Produced while it is sent.
    case streamed(ContentPump)

    init(_ request: NetworkRequest, _ pump: ContentPump?) {
        if let pump {
            self = .streamed(pump)
        } else if case .data(let data) = request.content {
            self = .inMemory(data)
        } else {
            switch request.method {
            // Without content, these send `Content-Length: 0` (RFC 9110 §8.6).
            case .post, .put, .patch: self = .inMemory(Data())
            default: self = .absent
            }
        }
    }

    /// The length that the request announces; `nil` if there is no content, or if its length is unknown.
    var length: Int? {
        switch self {
        case .absent: nil
        case .inMemory(let data): data.count
        case .streamed(let pump): pump.length
        }
    }

    /// Whether there may be bytes to send. A source must end before it is known to have none.
    var mayHaveBytes: Bool { if case .streamed = self { true } else { length != 0 && !isAbsent } }

    /// Whether it is streamed, and announced as empty: its source may contradict.
    var isAnnouncedEmpty: Bool { if case .streamed = self { length == 0 } else { false } }

    /// Whether HTTP/1.1 sends the content as chunks.
    var isChunked: Bool { length == nil && !isAbsent }

    private var isAbsent: Bool { if case .absent = self { true } else { false } }

    /// Whether the content waits for a 100 response. It does not if the connection may speak HTTP/2.
    func expectsContinue(of request: NetworkRequest, _ connections: TransportSettings.Connections) -> Bool {
        guard let threshold = connections.expectContinueThreshold, !isAbsent, length != 0, length ?? .max > threshold
        else {
            return false
        }
        return request.target.scheme == .http || connections.version == .http1_1
    }
}
