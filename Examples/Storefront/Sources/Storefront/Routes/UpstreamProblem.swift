// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import Swifty

/// The response to a request that an upstream has kept from being answered: a problem of RFC 9457.
///
/// It says which upstream it was and what happened, and nothing of what was sent to it: the log has that.
struct UpstreamProblem: HTTPResponseError {
    struct Content: Codable, Sendable {
        var title: String
        var status: Int
        var upstream: String
        /// The code of the error, such as `timedOut`.
        var code: String
        /// The number of the request in the log.
        var request: String?
    }

    let upstream: String
    let error: SwiftyError

    init(upstream: String, _ error: SwiftyError) {
        (self.upstream, self.error) = (upstream, error)
    }

    var status: HTTPResponse.Status {
        switch error.code {
        case .unacceptableStatus where error.statusCode == 404: .notFound
        case .circuitOpen, .shutdown: .serviceUnavailable
        case .timedOut: error.timeLimit == .queue ? .serviceUnavailable : .gatewayTimeout
        default: .badGateway
        }
    }

    private var title: String {
        switch status {
        case .notFound: "There is no such item."
        case .serviceUnavailable: "The \(upstream) service is given a rest. Try again in a few seconds."
        case .gatewayTimeout: "The \(upstream) service did not answer in time."
        default: "The \(upstream) service failed."
        }
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let number = context.logger[metadataKey: "hb.request.id"]?.description
        let content = Content(
            title: title,
            status: status.code,
            upstream: upstream,
            code: error.code.rawValue,
            request: number
        )
        var fields: HTTPFields = [.contentType: "application/problem+json"]
        if status == .serviceUnavailable { fields[.retryAfter] = "5" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = try ByteBuffer(bytes: encoder.encode(content))
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: bytes))
    }
}

extension UpstreamProblem: CustomStringConvertible {
    var description: String { "\(upstream): \(error)" }
}
