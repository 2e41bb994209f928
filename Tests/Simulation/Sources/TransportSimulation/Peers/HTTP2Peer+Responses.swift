// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// One exchange on a connection of the server.
final class HTTP2PeerStream {
    let number: Int
    let record: RequestRecord
    let answer: AnswerPlan
    /// The announced length of the request's content.
    let length: Int?
    var sendWindow: Int
    var receiveWindow = 0
    /// Whether the response is to come, and whether something of it, or an informational one, was sent.
    var isBegun = false
    var hasSpoken = false
    /// The content that may be sent as soon as the windows allow it.
    var released: ArraySlice<UInt8> = []
    /// Whether nothing follows what is released, and what then ends the stream.
    var isAllReleased = false
    var isDone = false

    init(_ number: Int, _ record: RequestRecord, _ answer: AnswerPlan, _ length: Int?, _ sendWindow: Int) {
        self.number = number
        self.record = record
        self.answer = answer
        self.length = length
        self.sendWindow = sendWindow
    }
}

extension HTTP2Peer {
    func respondLater(_ stream: HTTP2PeerStream) {
        if stream.isBegun { return }
        stream.isBegun = true
        world.after(stream.answer.delay) { self.respond(stream) }
    }

    private func isOpen(_ stream: HTTP2PeerStream) -> Bool {
        streams[stream.number] === stream && !line.isClosedByServer
    }

    private func respond(_ stream: HTTP2PeerStream) {
        guard isOpen(stream) else { return }
        stream.hasSpoken = true
        let count = stream.answer.flaw == .interims ? AnswerPlan.tooManyInterims : stream.answer.hasInterim ? 1 : 0
        guard count > 0 else { return respondFinally(stream) }
        world.note(.interimSent, stream.record.load, count, "load \(stream.record.load): 103, \(count) times")
        for _ in 0..<count { sendHead(stream, [(":status", "103"), ("x-hint", "yes")], isEnd: false) }
        world.after(stream.answer.interimPause) { self.respondFinally(stream) }
    }

    private func respondFinally(_ stream: HTTP2PeerStream) {
        guard isOpen(stream) else { return }
        let (record, answer) = (stream.record, stream.answer)
        let hasContent = record.method != "HEAD" && answer.status != 204 && answer.status != 304
        let size = hasContent ? answer.size : 0
        (record.status, record.responseSize) = (answer.status, size)
        if let cutting = answer.cutting, cutting.percent == 0 { return cut(stream) }
        world.note(.responseBegan, record.load, answer.status, "load \(record.load): \(answer.status) begins")
        var fields: [HPACKDecoder.Field] = [(":status", "\(answer.status)")]
        fields.append(("x-answer", "\(record.load)-\(record.arrival)"))
        record.isFlawed = answer.flaw != nil
        if answer.flaw == .fieldName || answer.flaw == .lengths && !hasContent { fields.append(("X-Upper", "case")) }
        if hasContent, answer.flaw == .lengths {
            fields.append(("content-length", "\(size + 1)"))
        } else if answer.framing == .length, answer.status != 204 {
            fields.append(("content-length", "\(record.method == "HEAD" ? answer.size : size)"))
        }
        record.hasResponded = true
        let endsWithHead = size == 0 && !answer.hasTrailers && answer.cutting == nil
        sendHead(stream, fields, isEnd: endsWithHead)
        if endsWithHead { return end(stream) }
        release(Content.response(record.load, record.arrival, count: size)[...], of: stream)
    }

    private func sendHead(_ stream: HTTP2PeerStream, _ fields: [HPACKDecoder.Field], isEnd: Bool) {
        let flags = HTTP2Frame.endHeaders | (isEnd ? HTTP2Frame.endStream : 0)
        send(HTTP2Frame(.headers, flags: flags, stream: stream.number, HPACKDecoder.encode(fields)))
    }

    /// Lets the next piece of the content be sent, and the others after their pauses.
    private func release(_ rest: ArraySlice<UInt8>, of stream: HTTP2PeerStream) {
        guard isOpen(stream) else { return }
        let limit = stream.answer.cutting.map { rest.endIndex * $0.percent / 100 } ?? rest.endIndex
        let piece = rest.prefix(min(stream.answer.piece, max(0, limit - rest.startIndex)))
        stream.released = stream.released.isEmpty ? piece : stream.released + piece
        stream.isAllReleased = piece.endIndex >= limit
        pump()
        if stream.isAllReleased { return }
        world.after(stream.answer.pause) { self.release(rest[piece.endIndex...], of: stream) }
    }

    /// Sends what the windows allow.
    func pump() {
        if line.isClosedByServer { return }
        for stream in orderedStreams where stream.record.hasResponded && !stream.isDone { pump(stream) }
    }

    private func pump(_ stream: HTTP2PeerStream) {
        while !stream.released.isEmpty {
            let room = min(sendWindow, stream.sendWindow, min(plan.frame, largestFrame))
            let padding = room > 2 * plan.padding + 1 ? plan.padding : 0
            let overhead = padding > 0 ? padding + 1 : 0
            let count = min(stream.released.count, room - overhead)
            guard count > 0 else { return }
            let payload = Array(stream.released.prefix(count))
            stream.released = stream.released.dropFirst(count)
            // Padding takes room in the windows, and nothing of it is content (RFC 9113 §6.1).
            sendWindow -= count + overhead
            stream.sendWindow -= count + overhead
            world.note(.serverSent, stream.record.load, count, "load \(stream.record.load): \(count) bytes")
            send(HTTP2Frame(stream: stream.number, payload, padding: padding))
        }
        if stream.isAllReleased { finish(stream) }
    }

    private func finish(_ stream: HTTP2PeerStream) {
        if stream.answer.cutting != nil { return cut(stream) }
        if stream.answer.hasTrailers {
            sendHead(stream, [("x-trailer", "\(stream.record.load)")], isEnd: true)
            stream.record.hasTrailers = true
        } else {
            send(HTTP2Frame(.data, flags: HTTP2Frame.endStream, stream: stream.number))
        }
        end(stream)
    }

    private func cut(_ stream: HTTP2PeerStream) {
        stream.isDone = true
        world.note(.responseCut, stream.record.load, 0, "load \(stream.record.load): the response is cut")
        switch stream.answer.cutting?.cut {
        case .closed: line.serverCloses()
        case .reset:
            send(HTTP2Frame(.reset, stream: stream.number, HTTP2Frame.word(2)))
            streams[stream.number] = nil
        case .silent, nil: break
        }
    }

    private func end(_ stream: HTTP2PeerStream) {
        stream.isDone = true
        stream.record.isResponseComplete = true
        let record = stream.record
        world.note(.responseEnded, record.load, record.responseSize, "load \(record.load): the response is complete")
        stopEarly(stream)
        finishIfDone(stream)
    }

    /// A server that has responded can have the client stop sending (RFC 9113 §8.1).
    private func stopEarly(_ stream: HTTP2PeerStream) {
        guard stream.answer.stopsEarly, !stream.record.isComplete else { return }
        send(HTTP2Frame(.reset, stream: stream.number, HTTP2Frame.word(0)))
        streams[stream.number] = nil
        closeIfIdle()
    }

    /// A stream is over once both sides have ended it.
    func finishIfDone(_ stream: HTTP2PeerStream) {
        guard stream.isDone, stream.record.isComplete, stream.answer.cutting == nil else { return }
        streams[stream.number] = nil
        closeIfIdle()
    }
}
