// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport
import WebServiceDSL

/// Requests and responses as text for a person: heads with colours, JSON indented, secrets hidden.
struct MessageText {
    var style: Style?
    var isFormatting = false
    var hidesSecrets = true

    /// The request's start line and fields, and an empty line.
    ///
    /// Includes the `Host` and `Content-Length` that the transport adds.
    ///
    /// - Parameter version: The version that it was sent with, which only the response shows.
    func requestHead(_ request: NetworkRequest, version: ResponseHead.HTTPVersion? = nil) -> String {
        let redactor = hidesSecrets ? request.redactor : nil
        let target = redactor?.uri(request.target) ?? request.target.string
        let path = target.dropFirst(request.target.origin.count)
        let authority = request.target.origin.dropFirst(request.target.scheme.rawValue.count + 3)
        let method = Style.paint(request.method.rawValue, .method, with: style)
        let isHTTP2 = version == .http2
        let protocolName = Style.paint(isHTTP2 ? "HTTP/2" : "HTTP/1.1", .version, with: style)
        var text = "\(method) \(VisibleText.line(String(path))) \(protocolName)\n"
        if !request.headers.contains(where: { $0.name.canonicalName == "host" }) {
            text += field("Host", value: "\(authority)")
        }
        for header in request.headers { text += field(header.name.rawName, value: header.value, redactor: redactor) }
        if !request.content.isNone, let count = request.content.length {
            text += field("Content-Length", value: "\(count)")
        } else if request.content.source != nil, !isHTTP2 {
            text += field("Transfer-Encoding", value: "chunked")
        }
        return text + "\n"
    }

    /// The response's status line and fields, and an empty line.
    func head(_ head: ResponseHead, hidesSecrets: Bool) -> String {
        let version = Style.paint("HTTP/\(head.httpVersion.rawValue)", .version, with: style)
        let reason = hidesSecrets ? Redactor().text(head.reasonPhrase) : head.reasonPhrase
        let line = "\(head.statusCode)\(reason.isEmpty ? "" : " \(VisibleText.line(reason))")"
        let status = Style.paint(line, Style.role(ofStatus: head.statusCode), with: style)
        let redactor = hidesSecrets ? Redactor() : nil
        let fields = head.headers.map { field($0.name.rawName, value: $0.value, redactor: redactor) }
        return "\(version) \(status)\n\(fields.joined())\n"
    }

    private func field(_ name: String, value: String, redactor: Redactor? = nil) -> String {
        let value = redactor?.value(value, of: name) ?? value
        return "\(Style.paint(VisibleText.line(name), .fieldName, with: style)): \(VisibleText.line(value))\n"
    }
}

extension MessageText {
    /// Text in another charset as UTF-8, if a person or a formatter reads it; the same bytes in a file or a pipe, and
    /// if they are not valid in their charset.
    func readable(_ data: Data, mediaType: String?) -> Data {
        guard Terminal.isOutput || style != nil || isFormatting, TextDecoding.isNeeded(for: mediaType) else {
            return data
        }
        return (try? TextDecoding.text(data, contentType: mediaType)).map { Data($0.utf8) } ?? data
    }

    /// The content as printed; the same bytes if nothing is formatted or coloured.
    func content(_ data: Data, mediaType: String?) -> Data {
        guard style != nil || isFormatting, mediaType?.lowercased().contains("json") ?? true else { return data }
        // RFC 8259 lets readers ignore a byte order mark.
        guard let json = JSONText(data.withoutByteOrderMark) else { return data }
        return Data(json.formatted(isIndented: isFormatting, style: style).utf8)
    }

    /// A request's content and an empty line; if the content is not text or not in memory, only its number of bytes.
    func requestContent(_ request: NetworkRequest) -> String {
        if case .source(let source) = request.content {
            return "(\(source.length.map { "\($0) bytes" } ?? "content") sent while it is read)\n\n"
        }
        guard let bytes = request.content.data, !bytes.isEmpty else { return "" }
        let mediaType = request.headers[.contentType]
        let redacted = hidesSecrets ? request.redactor.content(bytes, type: mediaType) : bytes
        let shown = content(redacted, mediaType: mediaType)
        guard Self.isText(shown) else { return "(\(bytes.count) bytes that are not text)\n\n" }
        return String(decoding: shown, as: UTF8.self) + "\n\n"
    }

    /// Whether a terminal can show the bytes.
    static func isText(_ data: Data) -> Bool {
        !data.contains(0) && String(validating: data, as: UTF8.self) != nil
    }
}
