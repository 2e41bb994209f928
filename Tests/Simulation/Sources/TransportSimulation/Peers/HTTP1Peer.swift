// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// The server's side of a connection that speaks HTTP/1.1.
final class HTTP1Peer: LinePeer, IdlePeer {
    // Safety: lives as long as the history.
    private unowned(unsafe) let line: Line
    private var host: Host { line.host }
    private var world: World { host.network.world }
    private var parser = HTTP1RequestParser()
    /// The request that is arriving or being responded to.
    private var current: RequestRecord?
    private var answer = AnswerPlan()
    private var message: HTTP1Response?
    private var hasBegunResponse = false
    /// Whether the response has ended before the request. A server goes on to read then, or the client could lose the
    /// response (RFC 9112 §9.6).
    private var isLingering = false
    private var mustClose = false
    private var isClosingWhenIdle = false
    private var requestCount = 0
    /// The number of requests that may follow, as far as the client was told.
    private var requestsLeft = Int.max
    /// Whether the server reads no further.
    private var isDeaf = false

    init(_ line: Line) {
        self.line = line
    }

    var isIdle: Bool { current == nil && !parser.isWithin }
    // It may read a request only after the response to the one before it.
    var isCaughtUp: Bool { isIdle }

    /// A server closes a connection that it has used, and that is idle.
    func closeWhenIdle() {
        isClosingWhenIdle = true
        if isIdle, requestCount > 0 { line.serverCloses() }
    }

    func speak(_ speech: ConnectionPlan.Speech) {
        line.serverSpeaks(Self.bytes(of: speech))
    }

    /// What no request has asked for.
    static func bytes(of speech: ConnectionPlan.Speech) -> [UInt8] {
        switch speech {
        case .response: Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Unrequested: yes\r\n\r\nnone".utf8)
        case .junk: Array("junk".utf8)
        }
    }

    func clientHasClosed() {
        current = nil
        isDeaf = true
    }
}

// MARK: Requests

extension HTTP1Peer {
    func receive(_ bytes: ArraySlice<UInt8>) {
        if isDeaf { return }
        parser.append(bytes)
        do throws(HTTP1RequestParser.Violation) {
            while !isDeaf, let event = try parser.next() { take(event) }
        } catch {
            world.report("what a server receives is a well-formed request", "connection \(line.number): \(error.text)")
            isDeaf = true
        }
    }

    private func take(_ event: HTTP1RequestParser.Event) {
        switch event {
        case .head(let head): begin(head)
        case .content(let part): current?.content.append(contentsOf: part)
        case .end: complete()
        }
    }

    private func begin(_ head: HTTP1RequestParser.Head) {
        world.expect(current == nil, "a request comes after the response to the one before", "on \(line.number)")
        let load = Int(head.target.dropFirst("/load/".count)) ?? -1
        let record = host.record(load, head.method, on: line)
        requestCount += 1
        line.announcedEnd = nil
        let isAllowed = requestsLeft > 0
        world.expect(isAllowed, "a connection carries no more requests than its server allows", "load \(load)")
        requestsLeft -= 1
        (current, hasBegunResponse) = (record, false)
        answer = host.answer(to: record)
        world.note(.requestBegan, load, record.arrival, "connection \(line.number): the head of load \(load) arrives")
        world.expect(head.values(of: "host") == ["host\(host.number).test"], "a request names its host", "load \(load)")
        if head.values(of: "connection").contains("close") { mustClose = true }
        record.expectsContinue = head.values(of: "expect") == ["100-continue"]
        if record.expectsContinue { consent(record) }
        if answer.moment == .head, !isDeaf { respondLater(record) }
    }

    private func consent(_ record: RequestRecord) {
        switch answer.consent {
        case .given:
            world.note(.consentGiven, record.load, 0, "load \(record.load): the server asks for the content")
            line.serverSends(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .silent: break
        case .refused:
            world.note(.expectationRefused, record.load, 0, "load \(record.load): 417")
            record.isRefused = true
            isDeaf = true
            line.serverSends(Array("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n".utf8))
        }
    }

    private func complete() {
        guard let record = current else { return }
        record.isComplete = true
        let count = record.content.count
        world.note(.requestComplete, record.load, count, "load \(record.load): the request is complete, \(count) bytes")
        if isLingering { return finishExchange() }
        if hasBegunResponse { return }
        if answer.moment == .complete { respondLater(record) }
    }
}

// MARK: Responses

extension HTTP1Peer {
    private func respondLater(_ record: RequestRecord) {
        hasBegunResponse = true
        world.after(answer.delay) { self.respond(record) }
    }

    private func respond(_ record: RequestRecord) {
        guard record === current, !line.isClosedByServer else { return }
        let count = answer.flaw == .interims ? AnswerPlan.tooManyInterims : answer.hasInterim ? 1 : 0
        guard count > 0 else { return respondFinally(record) }
        world.note(.interimSent, record.load, count, "load \(record.load): 103, \(count) times")
        for _ in 0..<count { line.serverSends(Array("HTTP/1.1 103 Early Hints\r\nX-Hint: yes\r\n\r\n".utf8)) }
        world.after(answer.interimPause) { self.respondFinally(record) }
    }

    private func respondFinally(_ record: RequestRecord) {
        guard record === current, !line.isClosedByServer else { return }
        let message = HTTP1Response(answer, to: record)
        self.message = message
        if answer.keepAlive != nil { requestsLeft = min(requestsLeft, answer.keepAliveMaximum ?? .max) }
        world.note(.responseBegan, record.load, answer.status, "load \(record.load): \(answer.status) begins")
        (record.status, record.responseSize) = (answer.status, message.contentSize)
        (record.endsWithConnection, record.isFlawed) = (message.endsWithConnection, answer.flaw != nil)
        let isEarlyEnd = !record.isComplete && !answer.keepsEarly
        if isEarlyEnd || message.endsWithConnection || answer.closes || answer.isHTTP10 { mustClose = true }
        send(message.bytes[...], record)
    }

    /// Sends what is left, piece by piece, or as far as it is cut.
    private func send(_ rest: ArraySlice<UInt8>, _ record: RequestRecord) {
        guard record === current, !line.isClosedByServer else { return }
        let limit = answer.cutting.map { rest.endIndex * $0.percent / 100 } ?? rest.endIndex
        let piece = rest.prefix(min(answer.piece, max(0, limit - rest.startIndex)))
        let isEnd = answer.cutting == nil && piece.endIndex == limit
        line.serverSends(Array(piece) + (isEnd ? excess.prompt : []), isEnd: isEnd)
        let count = piece.count
        if count > 0 { world.note(.serverSent, record.load, count, "load \(record.load): \(count) bytes") }
        if piece.endIndex >= limit { return answer.cutting == nil ? end(record) : cut(record, after: limit) }
        record.hasResponded = true
        world.after(answer.pause) { self.send(rest[piece.endIndex...], record) }
    }

    private func cut(_ record: RequestRecord, after count: Int) {
        world.note(.responseCut, record.load, 0, "load \(record.load): the response is cut")
        record.hasResponded = true
        isDeaf = true
        if let message, message.endsWithConnection, answer.cutting?.cut == .closed, count >= message.headSize {
            // Nothing tells this end from the one that was meant.
            (record.responseSize, record.isResponseComplete) = (count - message.headSize, true)
        }
        if count == message?.bytes.count { record.isResponseComplete = true }
        switch answer.cutting?.cut {
        case .closed: line.serverCloses()
        case .reset: line.serverResets()
        case .silent, nil: break
        }
    }

    private func end(_ record: RequestRecord) {
        (record.hasResponded, record.isResponseComplete) = (true, true)
        world.note(.responseEnded, record.load, record.responseSize, "load \(record.load): the response is complete")
        sendLateExcess()
        if record.isComplete { finishExchange() } else { isLingering = true }
    }

    /// The bytes behind the response: those that come with its end, and the others.
    private var excess: (prompt: [UInt8], late: [UInt8]) {
        guard let speech = answer.excess, let message, !message.endsWithConnection else { return ([], []) }
        let bytes = Self.bytes(of: speech)
        if answer.isExcessPrompt { return (bytes, []) }
        guard answer.excessPause != nil else { return ([], bytes) }
        return (Array(bytes.prefix(bytes.count / 2)), Array(bytes.dropFirst(bytes.count / 2)))
    }

    private func sendLateExcess() {
        let late = excess.late
        if late.isEmpty { return }
        guard let pause = answer.excessPause else { return line.serverSpeaks(late) }
        // The client knows by the first half that the connection is not to be used again.
        world.after(pause) { self.line.serverSpeaks(late, evenWithinResponse: true) }
    }

    private func finishExchange() {
        (current, isLingering) = (nil, false)
        if let seconds = answer.keepAlive {
            let count = requestCount
            let end = world.now + Int64(seconds) * 1_000_000_000
            line.announcedEnd = end
            world.at(end) {
                if self.requestCount == count, self.isIdle { self.line.serverCloses() }
            }
        }
        if mustClose || isClosingWhenIdle {
            isDeaf = true
            line.serverCloses()
        }
    }
}

/// A response as bytes.
private struct HTTP1Response {
    var bytes: [UInt8] = []
    var contentSize = 0
    var headSize = 0
    var endsWithConnection = false

    init(_ answer: AnswerPlan, to record: RequestRecord) {
        let isHead = record.method == "HEAD"
        let isEarly = !record.isComplete
        let hasContent = !isHead && answer.status != 204 && answer.status != 304
        contentSize = hasContent ? answer.size : 0
        let version = answer.isHTTP10 ? "1.0" : "1.1"
        var head = "HTTP/\(version) \(answer.status) Reason\r\nX-Answer: \(record.load)-\(record.arrival)\r\n"
        if answer.closes || isEarly && !answer.keepsEarly { head += "Connection: close\r\n" }
        if let seconds = answer.keepAlive {
            head += "Keep-Alive: timeout=\(seconds)\(answer.keepAliveMaximum.map { ", max=\($0)" } ?? "")\r\n"
        }
        switch answer.flaw {
        case .fieldName: head += "X Space: within\r\n"
        case .lengths: head += "Content-Length: \(contentSize)\r\nContent-Length: \(contentSize + 1)\r\n"
        case .interims, nil: break
        }
        let content = Content.response(record.load, record.arrival, count: contentSize)
        switch Self.framing(of: answer, isEarly: isEarly) {
        case .length:
            if answer.status != 204 { head += "Content-Length: \(isHead ? answer.size : contentSize)\r\n" }
            bytes = Array((head + "\r\n").utf8) + content
        case .chunked where hasContent:
            bytes = Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)
            appendChunks(content, trailers: answer.hasTrailers ? "X-Trailer: \(record.load)\r\n" : "")
            record.hasTrailers = answer.hasTrailers
        case .connection where hasContent:
            endsWithConnection = true
            bytes = Array((head + "Connection: close\r\n\r\n").utf8)
            headSize = bytes.count
            bytes += content
        case .chunked, .connection: bytes = Array((head + "\r\n").utf8)
        }
    }

    /// HTTP/1.0 has no chunks, and the end of the connection would also end a request that is still arriving.
    private static func framing(of answer: AnswerPlan, isEarly: Bool) -> AnswerPlan.Framing {
        let framing = answer.isHTTP10 && answer.framing == .chunked ? .connection : answer.framing
        return isEarly && framing == .connection ? .length : framing
    }

    private mutating func appendChunks(_ content: [UInt8], trailers: String) {
        let size = max(1, content.count / 3)
        for start in stride(from: 0, to: content.count, by: size) {
            let chunk = content[start..<min(content.count, start + size)]
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10]
        }
        bytes += Array("0\r\n\(trailers)\r\n".utf8)
    }
}
