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

    /// What happens to the connection after a response.
    enum Outcome: Equatable {
        case keepsAlive
        case closes
        case resets
        /// The connection stays open and silent until the client leaves.
        case stalls
        /// The server's direction ends, and requests are still read.
        case halfCloses
    }

    /// Sends a response, or the part of it that its fault allows.
    func write(_ response: LoopbackResponse, _ context: Context) -> Outcome {
        if let delay = response.delay, delay > .zero, socket.waitForEnd(atMost: delay) { return .closes }
        let fault = response.fault
        if fault?.extent == .nothing { return fault?.outcome ?? .closes }
        if case .raw(let bytes) = response.content {
            var pacer = Pacer(socket: socket, bytesPerSecond: response.bytesPerSecond)
            _ = pacer.send(bytes)
            return fault?.outcome ?? .closes
        }
        let framing = Framing(response, context)
        let isSent = send(response, framing, hasContent: !context.isHead && framing.allowsContent)
        guard isSent else { return .closes }
        return fault?.outcome ?? (framing.keepsAlive ? .keepsAlive : .closes)
    }

    /// - Returns: Whether the client is still there.
    private func send(_ response: LoopbackResponse, _ framing: Framing, hasContent: Bool) -> Bool {
        var pacer = Pacer(socket: socket, bytesPerSecond: response.bytesPerSecond)
        let head = Array(head(of: response, framing).utf8)
        guard hasContent else { return socket.sendAll(head) }
        var limit: Int?
        switch response.fault?.extent {
        case .malformed(let fault): return socket.sendAll(head) && pacer.send(fault.content(response.content.bytes))
        case .partial(let count): limit = count
        case .nothing, .everything, nil: break
        }
        switch response.content {
        case .data(let data):
            let bytes = limit.map { data.prefix($0) } ?? data
            return response.bytesPerSecond == nil
                ? socket.sendAll(head + bytes) : socket.sendAll(head) && pacer.send(Array(bytes))
        case .pieces(let source):
            return socket.sendAll(head) && send(source, atMost: limit, chunked: framing.isChunked, &pacer)
        case .raw: return true
        }
    }

    /// Sends the pieces, up to a number of bytes of the content; cut content has no last chunk.
    private func send(
        _ source: LoopbackResponse.PieceSource,
        atMost limit: Int?,
        chunked: Bool,
        _ pacer: inout Pacer
    ) -> Bool {
        var left = limit ?? .max
        for index in 0..<source.count where left > 0 {
            if index > 0, source.pause > .zero, socket.waitForEnd(atMost: source.pause) { return false }
            let piece = Array(source.piece(index).prefix(left))
            guard pacer.send(chunked ? Self.chunk(piece) : piece) else { return false }
            left -= piece.count
        }
        return !chunked || limit != nil || pacer.send(Self.lastChunk)
    }

    /// A chunk; nothing for no bytes, since an empty chunk would end the content.
    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        bytes.isEmpty ? [] : chunk(bytes, size: String(bytes.count, radix: 16))
    }

    /// Bytes as a chunk of any size.
    static func chunk(_ bytes: [UInt8], size: String) -> [UInt8] {
        Array("\(size)\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    static let lastChunk = Array("0\r\n\r\n".utf8)

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
    /// The complete header fields of a response, and the framing of its content (RFC 9112 §6).
    struct Framing {
        let allowsContent: Bool
        let isChunked: Bool
        let keepsAlive: Bool
        let headers: [(name: String, value: String)]

        init(_ response: LoopbackResponse, _ context: Context) {
            allowsContent = response.status >= 200 && response.status != 204 && response.status != 304
            if case .malformed(let fault) = response.fault?.extent, allowsContent {
                isChunked = false
                keepsAlive = false
                headers = response.headers + fault.fields(response.content.bytes)
                return
            }
            let length = response.content.length
            isChunked = length == nil && context.minorVersion > 0
            let wantsClose = response.headers.contains {
                $0.name.lowercased() == "connection" && $0.value.lowercased() == "close"
            }
            // Without chunks, only the end of the connection marks the end of content of unknown length.
            keepsAlive = context.keepsAlive && !wantsClose && (length != nil || isChunked || !allowsContent)
            // A response without content may announce the length of the content that it does not have.
            let isWithoutContent = context.isHead || response.status == 304
            var fields = response.headers.filter {
                let name = $0.name.lowercased()
                let statesLength = name == "content-length" && isWithoutContent && length == 0
                return statesLength || !["content-length", "transfer-encoding", "connection"].contains(name)
            }
            if !fields.contains(where: { $0.name.lowercased() == "date" }) { fields.append(("Date", HTTPDate.now)) }
            if allowsContent, !fields.contains(where: { $0.name.lowercased() == "content-length" }) {
                if let length { fields.append(("Content-Length", "\(length)")) }
                if isChunked { fields.append(("Transfer-Encoding", "chunked")) }
            }
            if !keepsAlive { fields.append(("Connection", "close")) }
            if keepsAlive && context.minorVersion == 0 { fields.append(("Connection", "keep-alive")) }
            headers = fields
        }
    }
}
