// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The encoders and the decoder of one service, for requests that name no others.
struct ServiceCoding: Sendable {
    let query: QueryEncoding
    let encoder: JSONEncoder
    let decoder: JSONDecoder

    /// What services have that set nothing. Encoders and decoders are used and never changed, so that one serves all.
    static let standard = ServiceCoding(query: .standard, encoder: JSONEncoder(), decoder: JSONDecoder())
}
