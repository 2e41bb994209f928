// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftySupport

import struct Foundation.Data

/// A load that has ended, with its secrets, until they are replaced.
struct LoadRecord: Sendable {
    let draft: RequestDraft
    let response: NetworkResponse
    let events: [InspectedLoad.Event]

    /// The outcome without secrets.
    ///
    /// - Parameter maximumContent: The size of the largest content that is kept, in bytes.
    func outcome(maximumContent: Int) -> InspectedLoad.Outcome {
        let redactor = response.request?.redactor ?? draft.redactor
        let redaction = MessageRedaction(redactor: redactor, maximumContent: maximumContent)
        let metrics = response.metrics
        return InspectedLoad.Outcome(
            status: response.statusCode,
            error: response.error?.description,
            errorCode: response.error?.code.rawValue,
            source: metrics.source.rawValue,
            duration: metrics.total.milliseconds,
            attempts: metrics.attempts.map(InspectedLoad.Attempt.init),
            request: response.request.map(redaction.message(of:)),
            response: response.head.map {
                redaction.message(of: $0, content: response.data, bytes: metrics.decodedContentBytes)
            },
            addedFields: addedFields
        )
    }

    /// The bytes that the record holds while it waits.
    var size: Int { (response.data?.count ?? 0) + (response.request?.content.data?.count ?? 0) }

    /// The names of fields of the sent request that were not written.
    private var addedFields: [String] {
        guard let request = response.request else { return [] }
        let written = Set(draft.headers.map(\.name))
        return request.headers.map(\.name).filter { !written.contains($0) }.map(\.rawName)
    }
}

extension InspectedLoad.Attempt {
    fileprivate init(_ attempt: LoadMetrics.Attempt) {
        let metrics = attempt.metrics
        self.init(
            status: attempt.statusCode,
            errorCode: attempt.errorCode?.rawValue,
            wait: attempt.wait.milliseconds,
            queue: metrics.queue.milliseconds,
            nameLookup: metrics.nameLookup.milliseconds,
            connect: metrics.connect.milliseconds,
            tls: metrics.tls.milliseconds,
            firstByte: metrics.firstByte.milliseconds,
            receive: metrics.receive.milliseconds,
            httpVersion: metrics.httpVersion?.rawValue,
            peer: metrics.remoteAddress.isEmpty ? "" : "\(metrics.remoteAddress):\(metrics.remotePort)",
            isConnectionReused: metrics.isConnectionReused,
            redirects: attempt.redirects.map { "\($0.statusCode) \($0.to)" }
        )
    }
}

/// Makes messages without secrets.
private struct MessageRedaction {
    let redactor: Redactor
    /// The size of the largest content that is kept, in bytes.
    let maximumContent: Int

    func message(of request: NetworkRequest) -> InspectedLoad.Message {
        let codings = request.headers[.contentEncoding]
        let bytes = request.content.isNone ? Data() : request.content.data
        let decoded = bytes.flatMap { bytes in
            codings.flatMap { try? Swifty.ContentDecoding().decode(bytes, codings: $0) } ?? bytes
        }
        let line = "\(request.method.rawValue) \(redactor.uri(request.target))"
        return message(line, request.headers, content: decoded, bytes: nil)
    }

    /// - Parameter bytes: The size of content that was read as a stream.
    func message(of head: ResponseHead, content: Data?, bytes: Int) -> InspectedLoad.Message {
        let line = redactor.text("HTTP/\(head.httpVersion.rawValue) \(head.statusText)")
        return message(line, head.headers, content: content, bytes: bytes)
    }

    private func message(
        _ startLine: String,
        _ headers: HTTPFields,
        content: Data?,
        bytes: Int?
    ) -> InspectedLoad.Message {
        let type = headers[.contentType] ?? ""
        // Content that is cut could end within a secret that its end would show to be one.
        let isKept = content.map { !$0.isEmpty && $0.count <= maximumContent } ?? false
        let redacted = isKept ? content.map { redactor.content($0, type: type) } : nil
        return InspectedLoad.Message(
            startLine: startLine,
            fields: headers.map { field in
                let name = field.name.rawName
                return InspectedLoad.Message.Field(name: name, value: redactor.value(field.value, of: name))
            },
            type: redactor.value(type, of: "Content-Type"),
            contentBytes: content?.count ?? bytes,
            content: redacted.flatMap(Self.text)
        )
    }

    /// The content as text; `nil` for anything but UTF-8. Between the zeros of UTF-16, no secret would be found.
    private static func text(_ content: Data) -> String? {
        content.contains(0) ? nil : String(validating: content, as: UTF8.self)
    }
}
