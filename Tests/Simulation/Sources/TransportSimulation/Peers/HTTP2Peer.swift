// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// The server's side of a connection that speaks HTTP/2, with frames of its own (RFC 9113).
final class HTTP2Peer: LinePeer, IdlePeer {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    // Safety: lives as long as the history.
    unowned(unsafe) let line: Line
    var host: Host { line.host }
    var world: World { host.network.world }
    var plan: HTTP2Plan { line.plan.http2 }

    private var input: ArraySlice<UInt8> = []
    private var hasPreface = false
    private var hasBegun = false
    private let decoder = HPACKDecoder()
    /// A block of fields that goes on in the next frame.
    private var block: (stream: Int, isEnd: Bool, bytes: [UInt8])?
    private var isDeaf = false

    var streams: [Int: HTTP2PeerStream] = [:]
    private var lastNumber = 0
    /// The last stream that is processed, once that was said.
    private var processedLimit: Int?
    private var demandsHTTP1 = false
    private var isClosingWhenIdle = false
    /// The limit of streams that applies to those that begin now, and that which the client has confirmed.
    private var streamLimit = Int.max
    private var unconfirmed: [(limit: Int, window: Int)] = []
    private var confirmedLimit = Int.max

    // The client's windows for responses.
    var sendWindow = 65_535
    var initialSendWindow = 65_535
    var largestFrame = 16 << 10
    /// The server's windows for requests.
    private var receiveWindow = 65_535
    /// The initial window of a request, as it was last announced, and as far as the client knows.
    private var window = 65_535
    private var confirmedWindow = 65_535
    /// What the client has yet to send back.
    private(set) var unansweredPings: [[UInt8]] = []

    init(_ line: Line) {
        self.line = line
        if plan.settingsDelay == 0 { begin() } else { world.after(plan.settingsDelay) { self.begin() } }
    }

    var isIdle: Bool { streams.isEmpty }
    var isCaughtUp: Bool { hasBegun && !isDeaf && input.isEmpty }

    func closeWhenIdle() {
        isClosingWhenIdle = true
        closeIfIdle()
    }

    func closeIfIdle() {
        if isIdle, lastNumber > 0, isClosingWhenIdle || processedLimit != nil { line.serverCloses() }
    }

    /// A server that speaks HTTP/2 may speak at any time, if it keeps to the rules: this frame has an unknown type.
    func speak(_ speech: ConnectionPlan.Speech) {
        var frame = HTTP2Frame(.ping, Array("nonsense".utf8))
        frame.kind = 0xF3
        send(frame)
    }

    func clientHasClosed() {
        isDeaf = true
        streams.removeAll()
    }

    func send(_ frame: HTTP2Frame) {
        line.serverSends(frame.bytes)
    }

    private func violate(_ text: String) {
        world.report("what a server receives is a well-formed request", "connection \(line.number): \(text)")
        isDeaf = true
    }

    /// The streams in the order of their numbers.
    var orderedStreams: [HTTP2PeerStream] { streams.values.sorted { $0.number < $1.number } }
}

// MARK: Settings

extension HTTP2Peer {
    private func begin() {
        if line.isClosedByClient { return }
        hasBegun = true
        announce(limit: plan.limits.first { $0.after == 0 }?.count, window: plan.window)
        for limit in plan.limits where limit.after > 0 {
            world.after(limit.after) { self.announce(limit: limit.count) }
        }
        for window in plan.laterWindows { world.after(window.after) { self.announce(window: window.size) } }
        for (number, time) in plan.pings.enumerated() { world.after(time) { self.ping(number) } }
        if let goAway = plan.goAway {
            if let warning = goAway.warning { world.after(max(0, goAway.after - warning)) { self.warn() } }
            world.after(goAway.after) { self.goAway(goAway) }
        }
        receive([])
    }

    private func announce(limit: Int? = nil, window: Int? = nil) {
        if line.isClosedByClient || line.isClosedByServer { return }
        var payload: [UInt8] = []
        if let limit { payload += [0, 3] + HTTP2Frame.word(limit) }
        if let window, window != self.window { payload += [0, 4] + HTTP2Frame.word(window) }
        (streamLimit, self.window) = (limit ?? streamLimit, window ?? self.window)
        let text = "limit \(limit ?? -1), window \(self.window)"
        world.note(.settingsSent, line.number, limit ?? -1, "connection \(line.number): SETTINGS, \(text)")
        unconfirmed.append((streamLimit, self.window))
        send(HTTP2Frame(.settings, payload))
    }

    /// Has the client begin nothing more, and processes what is under way (RFC 9113 §6.8).
    private func warn() {
        if line.isClosedByClient || line.isClosedByServer || processedLimit != nil { return }
        let limit = Int(Int32.max)
        world.note(.goAwaySent, line.number, limit, "connection \(line.number): GOAWAY, the server still processes all")
        send(HTTP2Frame(.goAway, HTTP2Frame.word(limit) + HTTP2Frame.word(0)))
    }

    private func goAway(_ goAway: HTTP2Plan.GoAway) {
        if line.isClosedByClient || line.isClosedByServer || processedLimit != nil { return }
        // What has been responded to was processed.
        let excluded = orderedStreams.suffix(goAway.excluded).filter { !$0.hasSpoken }
        var limit = lastNumber
        for stream in excluded.reversed() where stream.number == limit || excluded.last === stream {
            limit = max(0, stream.number - 2)
        }
        for stream in orderedStreams where stream.number > limit && stream.hasSpoken { limit = stream.number }
        processedLimit = limit
        demandsHTTP1 = goAway.demandsHTTP1
        world.note(.goAwaySent, line.number, limit, "connection \(line.number): GOAWAY, last stream \(limit)")
        for stream in orderedStreams where stream.number > limit {
            stream.record.isRefused = true
            streams[stream.number] = nil
        }
        let code = demandsHTTP1 ? 13 : 0
        send(HTTP2Frame(.goAway, HTTP2Frame.word(limit) + HTTP2Frame.word(code)))
        if let ending = goAway.ending { world.after(ending.after) { self.host.end(self.line, ending.end) } }
        closeIfIdle()
    }
}

// MARK: Frames

extension HTTP2Peer {
    func receive(_ bytes: ArraySlice<UInt8>) {
        if isDeaf { return }
        input = input.isEmpty ? bytes : input + bytes
        // The first frame of a server is its SETTINGS.
        guard hasBegun else { return }
        if !hasPreface {
            guard input.count >= Self.preface.count else { return }
            guard input.starts(with: Self.preface) else { return violate("the preface is wrong") }
            input = input.dropFirst(Self.preface.count)
            hasPreface = true
        }
        while !isDeaf, let frame = HTTP2Frame.take(from: &input) { take(frame) }
    }

    private func take(_ frame: HTTP2Frame) {
        if block != nil, frame.kind != HTTP2Frame.Kind.continuation.rawValue {
            return violate("a block is interrupted")
        }
        if frame.payload.count > 16 << 10 { return violate("a frame is too large") }
        switch HTTP2Frame.Kind(rawValue: frame.kind) {
        case .data: takeContent(frame)
        case .headers: takeHead(frame)
        case .continuation: continueHead(frame)
        case .reset: takeReset(frame.stream)
        case .settings: takeSettings(frame)
        case .ping: takePing(frame)
        case .windowUpdate: takeWindowUpdate(frame)
        case .goAway: break
        case .pushPromise: violate("a client promises nothing")
        case .priority, nil: break
        }
    }

    private func ping(_ number: Int) {
        if line.isClosedByClient || line.isClosedByServer { return }
        let payload = Array("ping \(number)--".utf8)
        unansweredPings.append(payload)
        world.note(.pingSent, line.number, number, "connection \(line.number): the server sends a PING")
        send(HTTP2Frame(.ping, payload))
    }

    private func takePing(_ frame: HTTP2Frame) {
        guard frame.has(HTTP2Frame.acknowledgement) else { return answerPing(frame) }
        guard unansweredPings.first == frame.payload else { return violate("a PING is answered that was not sent") }
        unansweredPings.removeFirst()
    }

    private func answerPing(_ frame: HTTP2Frame) {
        world.note(.pingAnswered, line.number, 0, "connection \(line.number): PING")
        send(HTTP2Frame(.ping, flags: HTTP2Frame.acknowledgement, frame.payload))
    }

    private func takeSettings(_ frame: HTTP2Frame) {
        if frame.has(HTTP2Frame.acknowledgement) {
            if unconfirmed.isEmpty { return violate("SETTINGS are confirmed that were not sent") }
            let settings = unconfirmed.removeFirst()
            confirmedLimit = settings.limit
            return confirm(window: settings.window)
        }
        for start in stride(from: 0, to: frame.payload.count - 5, by: 6) where frame.payload[start + 1] == 4 {
            let window = frame.number(at: start + 2)
            for stream in orderedStreams { stream.sendWindow += window - initialSendWindow }
            initialSendWindow = window
        }
        send(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement))
        pump()
    }

    /// The client has applied the window, which may leave less than nothing of those that it has used.
    private func confirm(window: Int) {
        for stream in orderedStreams { stream.receiveWindow += window - confirmedWindow }
        confirmedWindow = window
    }

    private func takeWindowUpdate(_ frame: HTTP2Frame) {
        let count = frame.number(at: 0) & 0x7FFF_FFFF
        if count == 0 { return violate("a window is updated by nothing") }
        if frame.stream == 0 { sendWindow += count } else { streams[frame.stream]?.sendWindow += count }
        pump()
    }

    private func takeReset(_ number: Int) {
        if number > lastNumber { return violate("a stream is reset that has not begun") }
        guard let stream = streams.removeValue(forKey: number) else { return }
        world.note(.requestReset, stream.record.load, 0, "load \(stream.record.load): the client resets the stream")
        closeIfIdle()
    }
}

// MARK: Requests

extension HTTP2Peer {
    private func takeHead(_ frame: HTTP2Frame) {
        guard frame.stream % 2 == 1 else { return violate("stream \(frame.stream) has an even number") }
        var payload = frame.payload
        if frame.has(HTTP2Frame.padded) { payload.removeFirst() }
        if frame.has(HTTP2Frame.withPriority) { payload.removeFirst(5) }
        block = (frame.stream, frame.has(HTTP2Frame.endStream), payload)
        if frame.has(HTTP2Frame.endHeaders) { finishHead() }
    }

    private func continueHead(_ frame: HTTP2Frame) {
        guard block?.stream == frame.stream else { return violate("a block goes on that has not begun") }
        block?.bytes += frame.payload
        if frame.has(HTTP2Frame.endHeaders) { finishHead() }
    }

    private func finishHead() {
        guard let (number, isEnd, bytes) = block else { return }
        block = nil
        guard number > lastNumber else { return violate("stream \(number) comes after \(lastNumber)") }
        lastNumber = number
        guard let fields = decoder?.decode(bytes) else { return violate("a block of fields is malformed") }
        guard let request = HTTP2RequestHead(fields) else { return violate("a head is malformed: \(fields)") }
        // What is begun behind GOAWAY is ignored (RFC 9113 §6.8).
        if let processedLimit, number > processedLimit {
            host.record(request.load, request.method, on: line).isRefused = true
            return
        }
        begin(request, number, isEnd: isEnd)
    }

    private func begin(_ head: HTTP2RequestHead, _ number: Int, isEnd: Bool) {
        let load = head.load
        world.expect(head.authority == "host\(host.number).test", "a request names its host", "load \(load)")
        guard streams.count < confirmedLimit else { return violate("more streams than \(confirmedLimit)") }
        if streams.count >= streamLimit { return refuse(number, load, code: 7) }
        let record = host.record(load, head.method, on: line)
        world.note(.requestBegan, load, record.arrival, "connection \(line.number): the head of load \(load) arrives")
        let stream = HTTP2PeerStream(number, record, host.answer(to: record), head.length, initialSendWindow)
        stream.receiveWindow = confirmedWindow
        if let refusal = stream.answer.refusal, stream.answer.moment != .never {
            return refuse(stream, refusal)
        }
        streams[number] = stream
        if stream.answer.moment == .head { respondLater(stream) }
        if isEnd { complete(stream) }
    }

    /// The request is not processed.
    private func refuse(_ number: Int, _ load: Int, code: Int) {
        world.note(.requestRefused, load, code, "connection \(line.number): load \(load) is refused, code \(code)")
        send(HTTP2Frame(.reset, stream: number, HTTP2Frame.word(code)))
    }

    private func refuse(_ stream: HTTP2PeerStream, _ refusal: AnswerPlan.Refusal) {
        // An error does not say that nothing was processed.
        stream.record.isRefused = refusal != .internalError
        let codes: [AnswerPlan.Refusal: Int] = [.refusedStream: 7, .http11Required: 13, .internalError: 2]
        refuse(stream.number, stream.record.load, code: codes[refusal] ?? 2)
    }

    private func takeContent(_ frame: HTTP2Frame) {
        let count = frame.payload.count
        receiveWindow -= count
        if receiveWindow < 0 { return violate("the window of the connection is exceeded") }
        if count > 0 { updateWindow(of: nil, by: count) }
        if frame.stream > lastNumber { return violate("content comes before its head") }
        guard let stream = streams[frame.stream] else { return }
        stream.receiveWindow -= count
        if stream.receiveWindow < 0, count > 0 { return violate("the window of stream \(frame.stream) is exceeded") }
        stream.record.content.append(contentsOf: frame.payload)
        if frame.has(HTTP2Frame.endStream) { return complete(stream) }
        if count > 0 { updateWindow(of: stream, by: count) }
    }

    private func complete(_ stream: HTTP2PeerStream) {
        let record = stream.record
        record.isComplete = true
        let count = record.content.count
        if let length = stream.length, length != count { return violate("the length is \(length) and not \(count)") }
        world.note(.requestComplete, record.load, count, "load \(record.load): the request is complete, \(count) bytes")
        if stream.answer.moment == .complete { respondLater(stream) }
        finishIfDone(stream)
    }

    private func updateWindow(of stream: HTTP2PeerStream?, by count: Int) {
        world.after(plan.updateDelay) { [self] in
            if line.isClosedByClient || line.isClosedByServer { return }
            if let stream {
                guard streams[stream.number] === stream, !stream.record.isComplete else { return }
                stream.receiveWindow += count
            } else {
                receiveWindow += count
            }
            world.note(.windowUpdated, line.number, count, "connection \(line.number): a window grows by \(count)")
            send(HTTP2Frame(.windowUpdate, stream: stream?.number ?? 0, HTTP2Frame.word(count)))
        }
    }
}

/// The head of a request, if it keeps to the rules of RFC 9113 §8.
private struct HTTP2RequestHead {
    var method = ""
    var path = ""
    var authority = ""
    var length: Int?
    /// The number of the load.
    var load: Int { Int(path.dropFirst("/load/".count)) ?? -1 }

    init?(_ fields: [HPACKDecoder.Field]) {
        var pseudo: [String: String] = [:]
        var hasPlain = false
        for (name, value) in fields {
            if name.hasPrefix(":") {
                guard !hasPlain, pseudo[name] == nil else { return nil }
                pseudo[name] = value
            } else {
                hasPlain = true
                guard name == name.lowercased(), !Self.forbidden.contains(name) else { return nil }
                if name == "te", value != "trailers" { return nil }
                if name == "content-length" {
                    guard length == nil, let number = Int(value) else { return nil }
                    length = number
                }
            }
        }
        guard let method = pseudo[":method"], let path = pseudo[":path"], let authority = pseudo[":authority"],
            pseudo[":scheme"] == "https", pseudo.count == 4, path.hasPrefix("/")
        else { return nil }
        (self.method, self.path, self.authority) = (method, path, authority)
    }

    private static let forbidden = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]
}
