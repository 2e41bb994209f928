// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport
import Synchronization

/// The events of a transfer, as they are reported.
final class RecordedEvents: Sendable {
    private let events = Mutex<[TransferEvent]>([])

    func record(_ event: TransferEvent) {
        events.withLock { $0.append(event) }
    }

    private var all: [TransferEvent] { events.withLock { $0 } }

    /// The kinds of the events; progress that is reported several times counts once.
    var names: [String] {
        all.reduce(into: []) { names, event in
            let name = Self.name(of: event)
            if name != "progress" || names.last != name { names.append(name) }
        }
    }

    private static func name(of event: TransferEvent) -> String {
        switch event {
        case .connected(_, _, _, let isReused): isReused ? "reused" : "connected"
        case .requestSent: "sent"
        case .informational(let statusCode, _), .responseHead(let statusCode, _): "\(statusCode)"
        case .progress: "progress"
        case .trailers: "trailers"
        }
    }

    var statuses: [Int] {
        all.compactMap { event in
            switch event {
            case .informational(let statusCode, _), .responseHead(let statusCode, _): statusCode
            default: nil
            }
        }
    }

    /// The links of informational responses.
    var hints: [String] {
        all.compactMap {
            if case .informational(_, let headers) = $0 { headers[.init("Link") ?? .accept] } else { nil }
        }
    }

    var trailers: [String] {
        all.flatMap { if case .trailers(let fields) = $0 { fields.map(\.value) } else { [String]() } }
    }
}

extension NetworkRequest {
    func recorded(by events: RecordedEvents) -> NetworkRequest {
        var request = self
        request.onEvent = { events.record($0) }
        return request
    }
}
