// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The JSON object that `--output json` prints for a load: the same members in the same order, after success and
/// failure.
struct LoadReport {
    let plan: RequestPlan
    let outcome: NetworkResponse
    /// The content that was written elsewhere, and is omitted.
    var passed: Delivery.Passed?

    var json: JSONOutput {
        let head = outcome.head
        let data = outcome.data ?? Data()
        let text = String(validating: data, as: UTF8.self)
        let content = JSONOutput.string(text ?? data.base64EncodedString())
        let omitsContent = passed != nil
        let transfer = outcome.metrics.transfer
        return .members([
            "method": .string(outcome.request?.method.rawValue ?? plan.method),
            "url": .string(outcome.request?.target.string ?? plan.url),
            "status": .optional(head?.statusCode),
            "reason": .optional(head?.reasonPhrase),
            "httpVersion": .optional(head?.httpVersion.rawValue),
            "headers": .array(head?.headers.map { .array([.string($0.name.rawName), .string($0.value)]) } ?? []),
            "body": head == nil || omitsContent ? .null : content,
            "bodyEncoding": omitsContent || text != nil ? nil : .string("base64"),
            "file": passed?.path.map(JSONOutput.string),
            "bodyBytes": .integer(passed?.byteCount ?? data.count),
            "encodedBytes": .integer(transfer?.responseContentBytes ?? 0),
            "sha256": head == nil ? .null : .string(passed?.sha256 ?? SHA256.hash(Array(data)).hexadecimal),
            "timings": timings,
            "attempts": .array(outcome.metrics.attempts.map(Self.attempt)),
            "redirects": .array(outcome.metrics.redirects.map(Self.redirect)),
            "remoteAddress": .optional(transfer.flatMap { $0.remoteAddress.isEmpty ? nil : $0.remoteAddress }),
            "localAddress": .optional(transfer.flatMap { $0.localAddress.isEmpty ? nil : $0.localAddress }),
            "connection": .integer(transfer?.connectionNumber ?? 0),
            "reused": .bool(transfer?.isConnectionReused ?? false),
            "verified": transfer?.isServerVerified.map(JSONOutput.bool) ?? .null,
            "tls": transfer.flatMap(Self.tls) ?? .null,
            "error": outcome.error.map(Self.error) ?? .null,
        ])
    }

    private var timings: JSONOutput {
        let transfer = outcome.metrics.transfer ?? TransferMetrics()
        return .members([
            "queue": .seconds(outcome.metrics.wholeQueue),
            "dns": .seconds(transfer.nameLookup),
            "connect": .seconds(transfer.connect),
            "tls": .seconds(transfer.tls),
            "firstByte": .seconds(transfer.firstByte),
            "total": .seconds(outcome.metrics.total),
        ])
    }
}

extension LoadReport {
    private static func tls(_ transfer: TransferMetrics) -> JSONOutput? {
        guard let parameters = transfer.tlsParameters else { return nil }
        let certificate = transfer.certificates.first
        return .members([
            "version": .string(parameters.version),
            "cipherSuite": .string(parameters.cipherSuite),
            "alpn": .optional(parameters.applicationProtocol),
            "subject": .optional(certificate?.subject),
            "issuer": .optional(certificate?.issuer),
            "expires": .optional(certificate?.notAfter.map(ConnectionText.time)),
        ])
    }

    private static func attempt(_ attempt: LoadMetrics.Attempt) -> JSONOutput {
        .members([
            "status": .optional(attempt.statusCode),
            "error": .optional(attempt.errorCode?.rawValue),
            "sent": .string(attempt.sent.rawValue),
            "wait": .seconds(attempt.wait),
        ])
    }

    private static func redirect(_ redirect: LoadMetrics.Redirect) -> JSONOutput {
        .members(["status": .integer(redirect.statusCode), "url": .string(redirect.to)])
    }

    static func error(_ error: SwiftyError) -> JSONOutput {
        .members([
            "code": .string(error.code.rawValue),
            "stage": .string(error.stage.rawValue),
            "sent": .string(error.sent.rawValue),
            "message": .string(error.descriptionWithoutHint),
        ])
    }
}
