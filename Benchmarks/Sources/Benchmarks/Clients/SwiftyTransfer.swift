// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// A large transfer by Swifty's streams.
struct SwiftyTransfer {
    let kind: TransferKind
    let url: String
    let file: String

    private var server: BaseResource {
        BaseResource(url, networkInterface: Swifty()) { $0.timeout(.seconds(600)) }
    }

    /// Returns the number of bytes, lines or events.
    func run() async throws -> Int {
        var count = 0
        switch kind {
        case .download:
            let stream = try await server.get().stream()
            while let part = try await stream.next() { count += part.count }
        case .file: count = try await server.get().download(to: file).byteCount
        case .upload:
            let response = try await server.put().file(file).load()
            count = response.metrics.transfer?.requestContentBytes ?? 0
        case .lines: for try await _ in server.get().lines() { count += 1 }
        case .events: for try await _ in server.get().events(policy: EventPolicy(reconnects: false)) { count += 1 }
        }
        return count
    }
}
