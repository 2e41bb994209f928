// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension HARRequest {
    /// A request whose content has been read.
    init(_ request: NetworkRequest) {
        let body = request.body?.bytes ?? Data()
        self.init(
            method: request.method.rawValue,
            url: request.target.string,
            headers: request.headers.map { HARPair(name: $0.name.rawName, value: $0.value) },
            queryString: FormBody.items(request.target.query ?? "").map { HARPair(name: $0.name, value: $0.value) },
            postData: body.isEmpty ? nil : HARContent(body, type: request.headers[.contentType]),
            bodySize: body.count
        )
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
        var stored = HARContent(content ?? response.body, type: head["Content-Type"])
        if let content { stored.compression = content.count - response.body.count }
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
                bodySize: response.body.count
            ),
            timings: HARTimings(
                send: 0,
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
            response: HARResponse(
                status: 0,
                statusText: "",
                httpVersion: "",
                headers: [],
                content: HARContent(Data(), type: nil),
                redirectURL: "",
                bodySize: -1
            ),
            timings: HARTimings(send: 0, wait: 0, receive: 0)
        )
        _failure = HARFailure(
            code: error.code.rawValue,
            stage: error.stage.rawValue,
            sent: error.sent.rawValue,
            reason: error.reason
        )
    }

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
            return MockResponse(.failure(error))
        }
        guard (200...999).contains(response.status), let content = response.content.bytes else {
            let fact = response.status == 0 ? "has no response" : "cannot be replayed: status or content is invalid"
            throw .mockUnavailable("the entry for \(request.method) \(request.url) in the cassette \(path) \(fact)")
        }
        let version = response.httpVersion.uppercased()
        let head = ResponseHead(
            statusCode: response.status,
            reasonPhrase: response.statusText,
            httpVersion: version.hasPrefix("HTTP/2") || version == "H2"
                ? .http2 : version.hasPrefix("HTTP/3") ? .http3 : .http1_1,
            headers: replayedFields(length: content.count)
        )
        return MockResponse(.response(head, content: content))
    }

    /// The fields of the response, as they are true for the stored content.
    private func replayedFields(length: Int) -> HTTPFields {
        var fields = HTTPFields()
        let isDecoded = response.content._isCoded != true
        for pair in response.headers {
            // HTTP/2's pseudo fields, which browsers store, are no names.
            guard let name = HTTPField.Name(pair.name), HTTPField.isValidValue(pair.value) else { continue }
            if name == .transferEncoding || isDecoded && name == .contentEncoding { continue }
            let isLength = name == .contentLength && request.method != "HEAD"
            fields.append(HTTPField(name: name, value: isLength ? "\(length)" : pair.value))
        }
        return fields
    }
}
