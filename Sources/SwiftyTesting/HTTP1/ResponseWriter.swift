// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Writes a response to one connection.
struct ResponseWriter {
    let socket: StreamSocket

    /// The facts about a request that decide how its response is framed.
    struct Context {
        var isHead = false
        var minorVersion = 1
        var keepsAlive = true
    }

    /// The fate of the connection after a response.
    enum Outcome: Equatable {
        case keepsAlive
        case closes
        case resets
        /// The connection stays open and silent until the client leaves.
        case stalls
    }

    func write(_ response: LoopbackResponse, _ context: Context) -> Outcome {
        if let delay = response.delay, delay > .zero, socket.waitForEnd(atMost: delay) { return .closes }
        let framing = Framing(response, context)
        let hasBody = !context.isHead && framing.allowsBody
        let head = Array(head(of: response, framing).utf8)
        if let fault = response.fault {
            if let limit = fault.bodyBytes {
                _ = socket.sendAll(head + (hasBody ? Self.prefix(limit, of: response.content, framing) : []))
            }
            return fault.outcome
        }
        switch response.content {
        case .data(let data):
            guard socket.sendAll(hasBody ? head + data : head) else { return .closes }
        case .pieces(let source):
            guard socket.sendAll(head), !hasBody || send(source, chunked: framing.isChunked) else { return .closes }
        }
        return framing.keepsAlive ? .keepsAlive : .closes
    }

    /// The first bytes of a body, framed like the whole body but without its end.
    private static func prefix(_ limit: Int, of content: LoopbackResponse.Content, _ framing: Framing) -> [UInt8] {
        switch content {
        case .data(let data):
            return Array(data.prefix(limit))
        case .pieces(let source):
            var bytes: [UInt8] = []
            for index in 0..<source.count where bytes.count < limit { bytes += source.piece(index) }
            let body = Array(bytes.prefix(limit))
            return framing.isChunked && !body.isEmpty ? chunk(body) : body
        }
    }

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    private func send(_ source: LoopbackResponse.PieceSource, chunked: Bool) -> Bool {
        for index in 0..<source.count {
            if index > 0, source.pause > .zero, socket.waitForEnd(atMost: source.pause) { return false }
            let piece = source.piece(index)
            // An empty chunk would end the body.
            if piece.isEmpty { continue }
            let bytes = chunked ? Self.chunk(Array(piece)) : Array(piece)
            guard socket.sendAll(bytes) else { return false }
        }
        return !chunked || socket.sendAll(Array("0\r\n\r\n".utf8))
    }

    private func head(of response: LoopbackResponse, _ framing: Framing) -> String {
        var text = "HTTP/1.1 \(response.status) \(StatusLine.reason(response.status))\r\n"
        for (name, value) in framing.headers {
            text += "\(Self.cleanName(name)): \(Self.cleanValue(value))\r\n"
        }
        return text + "\r\n"
    }

    /// The value without characters that could end its line: `/response-headers` sends values of the client.
    private static func cleanValue(_ value: String) -> String {
        String(String.UnicodeScalarView(value.unicodeScalars.map { $0.value < 32 && $0 != "\t" ? " " : $0 }))
    }

    private static func cleanName(_ name: String) -> String {
        String(decoding: name.utf8.map { $0.isTokenByte ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
}

extension ResponseWriter {
    /// The complete header fields of a response, and the framing of its body (RFC 9112 §6).
    struct Framing {
        let allowsBody: Bool
        let isChunked: Bool
        let keepsAlive: Bool
        let headers: [(name: String, value: String)]

        init(_ response: LoopbackResponse, _ context: Context) {
            allowsBody = response.status >= 200 && response.status != 204 && response.status != 304
            let length = Self.length(of: response.content)
            isChunked = length == nil && context.minorVersion > 0
            let wantsClose = response.headers.contains {
                $0.name.lowercased() == "connection" && $0.value.lowercased() == "close"
            }
            // Without chunks, only the end of the connection marks the end of a body of unknown length.
            keepsAlive = context.keepsAlive && !wantsClose && (length != nil || isChunked || !allowsBody)
            // A response without a body may state the length of the body that it stands for.
            let isBodyless = context.isHead || response.status == 304
            var fields = response.headers.filter {
                let name = $0.name.lowercased()
                let statesLength = name == "content-length" && isBodyless && length == 0
                return statesLength || !["content-length", "transfer-encoding", "connection"].contains(name)
            }
            if !fields.contains(where: { $0.name.lowercased() == "date" }) { fields.append(("Date", HTTPDate.now)) }
            if allowsBody, !fields.contains(where: { $0.name.lowercased() == "content-length" }) {
                if let length { fields.append(("Content-Length", "\(length)")) }
                if isChunked { fields.append(("Transfer-Encoding", "chunked")) }
            }
            if !keepsAlive { fields.append(("Connection", "close")) }
            if keepsAlive && context.minorVersion == 0 { fields.append(("Connection", "keep-alive")) }
            headers = fields
        }

        private static func length(of content: LoopbackResponse.Content) -> Int? {
            switch content {
            case .data(let data): data.count
            case .pieces(let source): source.length
            }
        }
    }
}
