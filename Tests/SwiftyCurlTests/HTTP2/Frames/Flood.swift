// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A frame that a server sends very often.
enum Flood: String, CaseIterable {
    case settings, ping, acknowledgement, window, priority, goAway, unknown, unknownOfNothing, reset
    case data, paddedData, paddingOnly, continuation, hints, endedHeads, endedData

    private typealias F = FrameBytes

    private static let maximalPadding: [UInt8] = [255] + [UInt8](repeating: 0, count: 255)

    /// The frames that come before it.
    private var beginning: [UInt8] {
        switch self {
        case .continuation: F.frame(.headers, 0, F.ok)
        case .hints: []
        case .endedHeads, .endedData: F.reset(8)
        default: F.head()
        }
    }

    private var frame: [UInt8] {
        switch self {
        case .settings: F.settings()
        case .ping: F.ping
        case .acknowledgement: F.frame(.ping, F.acknowledgement, on: 0, [UInt8](repeating: 7, count: 8))
        case .window: F.window(1, on: 0)
        case .priority: F.frame(.priority, [0, 0, 0, 0, 9])
        case .goAway: F.goAway(0, last: 1)
        case .unknown: F.frame(.unknown, on: 101, [1, 2, 3])
        case .unknownOfNothing: F.frame(.unknown, on: 0)
        case .reset: F.reset(8, on: 1)
        case .data: F.data("", 0)
        case .paddedData: F.frame(.data, F.padded, [0])
        case .paddingOnly: F.frame(.data, F.padded, Self.maximalPadding)
        case .continuation: F.frame(.continuation)
        case .hints: F.head(F.block([(":status", "103")]))
        case .endedHeads: F.head()
        case .endedData: F.data("a", 0)
        }
    }

    /// The frames that a response ends with.
    private var ending: [UInt8] {
        switch self {
        case .continuation: F.frame(.continuation, F.endOfHead) + F.data()
        case .hints: F.answer
        default: F.data()
        }
    }

    /// The content of a request for `/flood` of `Tests/Peers/http2_frames.py`.
    func script(count: Int) -> Data {
        let parts = [beginning, frame, ending]
        let line = "\(count) \(parts.map { "\($0.count)" }.joined(separator: " "))\n"
        return Data(line.utf8) + Data(parts.joined())
    }
}
