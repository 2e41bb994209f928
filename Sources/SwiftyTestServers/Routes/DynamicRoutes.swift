// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Routes whose responses differ from request to request, and slow routes.
enum DynamicRoutes {
    @Sendable static func uuid(_: RecordedRequest) -> LoopbackResponse {
        .json(["uuid": UUID().uuidString.lowercased()])
    }

    /// Decodes Base64 in the standard alphabet and in the one for URLs.
    @Sendable static func base64(_ request: RecordedRequest) throws -> LoopbackResponse {
        var text = request.variable("value").replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text) else { throw RequestError.malformed("Incorrect Base64 data") }
        return .data(data, type: "text/html; charset=utf-8")
    }

    /// Responds like `/anything` after some seconds, at most ten.
    @Sendable static func delay(_ request: RecordedRequest) throws -> LoopbackResponse {
        let members = EchoRoutes.members(of: request, "args", "data", "files", "form", "headers", "origin", "url")
        return .json(members).delayed(try RecordedRequest.duration(request.variable("seconds"), "seconds"))
    }

    /// `numbytes` stars over `duration` seconds, after `delay` seconds, with the status `code`.
    @Sendable static func drip(_ request: RecordedRequest) throws -> LoopbackResponse {
        let count = try request.queryNumber("numbytes", in: 1...10_485_760, default: 10)
        let duration = try request.queryDuration("duration", default: .seconds(2))
        let status = try request.queryNumber("code", in: 200...999, default: 200)
        let delay = try request.queryDuration("delay", default: .seconds(2))
        // At most a thousand pieces: a thread cannot sleep for much less than a millisecond anyway.
        let pieces = min(count, 1_000)
        let source = LoopbackResponse.PieceSource(
            count: pieces,
            length: count,
            pause: duration / max(1, pieces - 1),
            piece: { Data(repeating: UInt8(ascii: "*"), count: count * ($0 + 1) / pieces - count * $0 / pieces) }
        )
        return .pieces(source, status: status).delayed(delay)
    }
}
