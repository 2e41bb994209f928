// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Serves the requests of one connection in sequence, on the thread of that connection.
struct LoopbackConnection {
    private let number: Int
    private let socket: StreamSocket
    private let router: Router
    private let log: RequestLog
    private let conditions: ServerConditions
    private let remotePort: Int
    private let writer: ResponseWriter
    private var reader: RequestReader

    private static let headLimit = 256 * 1_024

    init(number: Int, socket: StreamSocket, _ router: Router, log: RequestLog, conditions: ServerConditions) {
        self.number = number
        self.socket = socket
        self.router = router
        self.log = log
        self.conditions = conditions
        remotePort = socket.remotePort()
        writer = ResponseWriter(socket: socket)
        reader = RequestReader(socket: socket)
    }

    mutating func serve() {
        var outcome = ResponseWriter.Outcome.keepsAlive
        while outcome == .keepsAlive { outcome = serveOne() }
        if outcome == .halfCloses {
            socket.shutDownSending()
            while readUnanswered() {}
        }
        socket.end(by: outcome)
    }

    /// Reads the next request, if there is one, and responds to it.
    private mutating func serveOne() -> ResponseWriter.Outcome {
        do {
            let head = try RequestHead(reader.readHead(limit: Self.headLimit))
            var request = RecordedRequest(head: head, connection: number, remotePort: remotePort)
            let fault = conditions.takeRequestFault(path: request.path)
            if case .duringRequest(let count, let ending) = fault {
                request.setContent(try readContent(head, atMost: count))
                log.offer(log.append(request))
                return ending.outcome
            }
            request.setContent(try readContent(head))
            return respond(to: request, head, fault)
        } catch RequestError.rejected(let status, let reason) {
            return writer.write(.text("\(reason)\n", status: status), .init(keepsAlive: false))
        } catch {
            return .closes
        }
    }

    /// Reads and records the next request; `false` at the end of the stream.
    private mutating func readUnanswered() -> Bool {
        do {
            let head = try RequestHead(reader.readHead(limit: Self.headLimit))
            var request = RecordedRequest(head: head, connection: number, remotePort: remotePort)
            request.setContent(try reader.readContent(head.framing(), limit: conditions.maximumContentBytes))
            log.offer(log.append(request))
            return true
        } catch {
            return false
        }
    }

    private mutating func readContent(
        _ head: RequestHead,
        atMost count: Int = .max
    ) throws(RequestError) -> (wire: [UInt8], decoded: [UInt8]) {
        let (framing, limit) = (try head.framing(), conditions.maximumContentBytes)
        if case .length(let count) = framing, count > limit {
            throw .rejected(status: 413, reason: "the request content is too long")
        }
        if count == 0 { return ([], []) }
        // A client that has begun to send the content no longer waits (RFC 9110 §10.1.1).
        if framing != .none, head.expectsContinue, !reader.hasBufferedBytes {
            guard socket.sendAll(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw .endOfStream }
        }
        return try reader.readContent(framing, atMost: count, limit: limit)
    }

    private func respond(
        to request: RecordedRequest,
        _ head: RequestHead,
        _ fault: ServerConditions.RequestFault?
    ) -> ResponseWriter.Outcome {
        let match = router.match(request)
        log.offer(log.append(match.request))
        let context = ResponseWriter.Context(
            isHead: head.method == "HEAD",
            minorVersion: head.minorVersion,
            keepsAlive: head.keepsAlive
        )
        var response = conditions.apply(to: match.respond(on: socket))
        if case .inResponse(let fault) = fault { response.fault = fault }
        return writer.write(response, context)
    }
}

extension StreamSocket {
    /// Ends the connection, before it is closed by its owner.
    func end(by outcome: ResponseWriter.Outcome) {
        if outcome == .stalls { waitUntilPeerLeaves() }
        if outcome == .resets { resetOnClose() } else { finishSending() }
    }
}
