// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension HARRequest {
    /// A request whose content has been read.
    init(_ request: NetworkRequest) {
        let bytes = request.content.data ?? Data()
        let (type, codings) = (request.headers[.contentType], request.headers[.contentEncoding])
        self.init(
            method: request.method.rawValue,
            url: request.target.string,
            headers: request.headers.map { HARPair(name: $0.name.rawName, value: $0.value) },
            queryString: FormContent.items(request.target.query ?? "").map { HARPair(name: $0.name, value: $0.value) },
            postData: Self.content(bytes, type: type, codings: codings),
            bodySize: bytes.count
        )
    }

    /// The content of a request as it is stored and compared: decoded, so that it is readable and its secrets can be
    /// found. Content that is damaged, too large or in unknown codings stays as it is; `nil` without content.
    ///
    /// - Parameter codings: The value of `Content-Encoding`; `nil` without the field.
    static func content(_ bytes: Data, type: String?, codings: String?) -> HARContent? {
        if bytes.isEmpty { return nil }
        let decoded = codings.flatMap { try? Swifty.ContentDecoding().decode(bytes, codings: $0) }
        return HARContent(decoded ?? bytes, type: type, isRequest: true)
    }
}

extension HAREntry {
    /// An exchange with a response.
    ///
    /// - Parameters:
    ///   - response: The response with the content as it was received.
    ///   - content: The decoded content; `nil` if it was not decoded.
    init(_ request: HARRequest, start: Date, _ response: TransportResponse, content: Data?) {
        let head = response.head
        var stored = HARContent(content ?? response.content, type: head["Content-Type"])
        if let content { stored.compression = content.count - response.content.count }
        if content == nil, head.headers.contains(.contentEncoding) { stored._isCoded = true }
        self.init(
            startedDateTime: start.formatted(Self.time),
            time: Self.milliseconds(response.metrics.total),
            request: request,
            response: HARResponse(
                status: head.statusCode,
                statusText: head.reasonPhrase,
                httpVersion: "HTTP/\(head.httpVersion.rawValue)",
                headers: head.headers.map { HARPair(name: $0.name.rawName, value: $0.value) },
                content: stored,
                redirectURL: head["Location"] ?? "",
                bodySize: response.content.count
            ),
            timings: HARTimings(
                wait: Self.milliseconds(response.metrics.firstByte),
                receive: Self.milliseconds(response.metrics.receive)
            )
        )
    }

    /// An exchange that failed without a response.
    init(_ request: HARRequest, start: Date, _ error: SwiftyError) {
        self.init(
            startedDateTime: start.formatted(Self.time),
            time: 0,
            request: request,
            response: HARResponse(status: 0),
            timings: HARTimings()
        )
        _failure = HARFailure(
            code: error.code.rawValue,
            stage: error.stage.rawValue,
            sent: error.sent.rawValue,
            reason: error.reason,
            timeLimit: error.timeLimit?.rawValue
        )
    }

    /// Fields that are wrong in a replay: the framing, and the server's proof that it knows the password, which depends
    /// on the nonce of the recorded request (RFC 7616 §3.5).
    private static let unreplayed: Set<HTTPField.Name> = Set(
        ["Transfer-Encoding", "Authentication-Info"].compactMap { HTTPField.Name($0) }
    )

    private static var time: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }

    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1000
    }

    /// The recorded answer.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if the entry cannot be a response.
    func mockResponse(path: String) throws(SwiftyError) -> MockResponse {
        if let failure = _failure {
            let code = SwiftyError.Code(rawValue: failure.code)
            var error = SwiftyError(mocked: code, reason: failure.reason)
            error.stage = SwiftyError.Stage(rawValue: failure.stage) ?? error.stage
            error.sent = SwiftyError.SentState(rawValue: failure.sent) ?? error.sent
            error.timeLimit = failure.timeLimit.flatMap { SwiftyError.TimeLimit(rawValue: $0) } ?? error.timeLimit
            return MockResponse(.failure(error))
        }
        guard let stored = response.content.bytes, let status = replayableStatus else {
            let fact =
                switch response.status {
                case 0: "has no response"
                case 200...999 where response.content.bytes != nil: "was stored without its content"
                default: "cannot be replayed: its status or its content is invalid"
                }
            throw .mockUnavailable(
                "the entry for \(request.method) \(Redaction.redact(reference: request.url)) in the cassette \(path) "
                    + "\(fact); record it again, or remove the entry"
            )
        }
        // Other programs store a 304 with the content of their cache.
        let content = mayHaveContent ? stored : Data()
        let version = response.httpVersion.uppercased()
        let head = ResponseHead(
            statusCode: status,
            reasonPhrase: response.statusText,
            httpVersion: version.hasPrefix("HTTP/2") || version == "H2"
                ? .http2 : version.hasPrefix("HTTP/3") ? .http3 : .http1_1,
            headers: replayedFields(length: content.count)
        )
        return MockResponse(.response(head, content: content))
    }

    /// The status; `nil` without a response, or if its content was received but not stored.
    private var replayableStatus: Int? {
        let lacksContent = response.content.text == nil && response.content.size ?? 0 > 0 && mayHaveContent
        return (200...999).contains(response.status) && !lacksContent ? response.status : nil
    }

    /// Whether the response can have content (RFC 9110 §6.4.1).
    private var mayHaveContent: Bool { request.method != "HEAD" && !MockResponse.hasNoContent(response.status) }

    /// The fields of the response, corrected for the stored content.
    private func replayedFields(length: Int) -> HTTPFields {
        var fields = HTTPFields()
        let isDecoded = response.content._isCoded != true
        for pair in response.headers {
            // The names of HTTP/2 pseudo-header fields, which browsers store, are not valid.
            guard let name = HTTPField.Name(pair.name), !Self.unreplayed.contains(name) else { continue }
            if isDecoded && name == .contentEncoding { continue }
            let isLength = name == .contentLength && request.method != "HEAD" && response.status != 304
            // Browsers join several `Set-Cookie` fields with line feeds.
            for value in pair.value.split(separator: "\n", omittingEmptySubsequences: false) {
                guard HTTPField.isValidValue(String(value)) else { continue }
                fields.append(HTTPField(name: name, value: isLength ? "\(length)" : String(value)))
            }
        }
        return fields
    }
}
