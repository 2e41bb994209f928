// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport

/// Responds over TLS with given bytes, and ends the connection in one of three ways: `Tests/Peers/tls.py`.
struct ClosingTLSServer {
    enum Ending: String, CaseIterable {
        /// With `close_notify`.
        case announced
        /// With `close_notify` in the segment of the last byte.
        case together
        /// Without.
        case silent
    }

    private let peer: TLSPeer

    init() async throws {
        peer = try await TLSPeer("tls.py")
    }

    func transport(_ strictness: TransportSettings.Responses.Strictness) -> CurlTransport {
        peer.transport { $0.settings.responses.strictness = strictness }
    }

    /// The request whose response is these bytes.
    func request(_ ending: Ending, answer: some Collection<UInt8>) throws -> NetworkRequest {
        try .to(
            peer.url(ending.rawValue),
            method: .post,
            content: Data(answer),
            timeouts: NetworkRequest.Timeouts(total: .seconds(60))
        )
    }
}
