// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Serves the requests of one connection in sequence, on the thread of that connection.
struct LoopbackConnection {
    private let number: Int
    private let socket: StreamSocket
    private let router: Router
    private let log: RequestLog
    private let remotePort: Int
    private let writer: ResponseWriter
    private var reader: RequestReader

    private static let headLimit = 256 * 1_024
    private static let bodyLimit = 256 * 1_048_576

    init(number: Int, socket: StreamSocket, router: Router, log: RequestLog) {
        self.number = number
        self.socket = socket
        self.router = router
        self.log = log
        remotePort = socket.remotePort()
        writer = ResponseWriter(socket: socket)
        reader = RequestReader(socket: socket)
    }

    mutating func serve() {
        var outcome = ResponseWriter.Outcome.keepsAlive
        while outcome == .keepsAlive { outcome = serveOne() }
        if outcome == .stalls { socket.waitUntilPeerLeaves() }
        if outcome == .resets { socket.resetOnClose() } else { socket.finishSending() }
    }

    /// Reads the next request, if there is one, and responds to it.
    private mutating func serveOne() -> ResponseWriter.Outcome {
        do {
            let head = try RequestHead(reader.readHead(limit: Self.headLimit))
            var request = RecordedRequest(head: head, connection: number, remotePort: remotePort)
            request.setBody(try readBody(head))
            return respond(to: request, head)
        } catch RequestError.rejected(let status, let reason) {
            return writer.write(.text("\(reason)\n", status: status), .init(keepsAlive: false))
        } catch {
            return .closes
        }
    }

    private mutating func readBody(
        _ head: RequestHead
    ) throws(RequestError) -> (wire: [UInt8], decoded: [UInt8]) {
        let framing = try head.framing()
        if case .length(let count) = framing, count > Self.bodyLimit {
            throw .rejected(status: 413, reason: "the request body is too long")
        }
        // A client that has begun to send the body no longer waits (RFC 9110 §10.1.1).
        if framing != .none, head.expectsContinue, !reader.hasBufferedBytes {
            guard socket.sendAll(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw .endOfStream }
        }
        return try reader.readBody(framing, limit: Self.bodyLimit)
    }

    private func respond(to request: RecordedRequest, _ head: RequestHead) -> ResponseWriter.Outcome {
        let match = router.match(request)
        log.offer(log.append(match.request))
        let context = ResponseWriter.Context(
            isHead: head.method == "HEAD",
            minorVersion: head.minorVersion,
            keepsAlive: head.keepsAlive
        )
        return writer.write(match.respond(on: socket), context)
    }
}
