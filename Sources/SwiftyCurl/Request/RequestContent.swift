// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// The content of a request in memory.
enum RequestContent {
    /// No content, and no `Content-Length`.
    case absent
    /// Small enough to be sent with the head in one call; may be empty.
    case copied(Data)
    /// Sent piece by piece.
    case streamed(Data)

    /// The size of the buffer in which the parts of a request are joined over TLS.
    private static let copyLimit = 64 * 1024

    init(_ request: NetworkRequest) {
        if let body = request.body {
            self = body.count <= Self.copyLimit ? .copied(body.bytes) : .streamed(body.bytes)
        } else if request.method.meansContent {
            self = .copied(Data())
        } else {
            self = .absent
        }
    }

    var isPresent: Bool {
        if case .absent = self { false } else { true }
    }

    var count: Int {
        switch self {
        case .absent: 0
        case .copied(let data), .streamed(let data): data.count
        }
    }
}

extension RequestContent {
    /// Calls the closure with the bytes from this offset on, at most `limit` of them.
    func withUnsafeBytes<Result>(
        from offset: Int,
        limit: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch self {
        case .absent: body(UnsafeRawBufferPointer(start: nil, count: 0))
        case .copied(let data), .streamed(let data):
            data.withUnsafeBytes { bytes in
                body(UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...].prefix(limit)))
            }
        }
    }
}

extension HTTPRequest.Method {
    /// Whether a request without content sends `Content-Length: 0` (RFC 9110 §8.6).
    fileprivate var meansContent: Bool {
        switch self {
        case .post, .put, .patch: true
        default: false
        }
    }
}

extension NetworkRequest {
    /// Whether the content waits for a 100 response. It does not if the connection may speak HTTP/2.
    func expectsContinue(_ connections: TransportSettings.Connections) -> Bool {
        guard let threshold = connections.expectContinueThreshold, let count = body?.count, count > threshold else {
            return false
        }
        return target.scheme == .http || connections.version == .http1_1
    }
}
