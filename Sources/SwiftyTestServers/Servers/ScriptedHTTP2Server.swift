// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A server of HTTP/2 (RFC 9113) that answers requests by number, whatever they ask for: it does not decode fields.
///
/// It respects the client's flow-control windows, and acknowledges its SETTINGS and PINGs.
package final class ScriptedHTTP2Server: Sendable {
    /// A complete request.
    package struct Request: Sendable {
        package let connection: Int
        /// The number of the stream: 1, 3, 5 …
        package let stream: UInt32
        package var content: [UInt8] = []
    }

    /// What the server does when a request is complete.
    package enum Action: Sendable {
        /// A response with status 200 and content.
        case respond(stream: UInt32, content: [UInt8])
        /// The head of a response with status 200, and some of its content.
        case begin(stream: UInt32, content: [UInt8])
        /// RST_STREAM with an error code (§7).
        case reset(stream: UInt32, code: UInt32)
        /// GOAWAY with the last stream that counts as processed.
        case goAway(last: UInt32)
        /// The end of the connection.
        case close
    }

    package typealias Reaction = @Sendable (_ request: Request, _ earlier: [Request]) -> [Action]

    private let listener: LoopbackListener

    /// Listens with TLS, and offers HTTP/2.
    ///
    /// - Parameter react: Returns the actions for a request, given the earlier complete requests of its connection.
    ///   Called on the thread of the connection.
    package init(
        authority: TestAuthority,
        _ react: @escaping Reaction
    ) throws {
        var tls = try authority.server()
        tls.applicationProtocols = ["h2"]
        listener = try LoopbackListener()
        try listener.serve(tls: tls) { number, socket in
            var connection = HTTP2Connection(number, socket, react)
            connection.serve()
            socket.finishSending()
        }
    }

    package var url: String { "https://127.0.0.1:\(listener.port)" }
    package var connectionCount: Int { listener.connectionCount }

    package func stop() async {
        await listener.stop()
    }
}

/// One connection of a ``ScriptedHTTP2Server``, on its thread.
private struct HTTP2Connection {
    typealias Reaction = ScriptedHTTP2Server.Reaction

    /// The types of frames (§6) that the server reads or writes.
    private enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    private static let endOfStream: UInt8 = 0x1
    private static let acknowledgement: UInt8 = 0x1
    private static let endOfHeaders: UInt8 = 0x4

    /// Content that waits for the client's windows.
    private struct Outgoing {
        let stream: UInt32
        var content: ArraySlice<UInt8>
        let endsStream: Bool
    }

    private let number: Int
    private let socket: StreamSocket
    private let react: Reaction
    private var reader: RequestReader
    private var open: [UInt32: ScriptedHTTP2Server.Request] = [:]
    private var complete: [ScriptedHTTP2Server.Request] = []
    private var outgoing: [Outgoing] = []
    private var connectionWindow = 65_535
    private var streamWindows: [UInt32: Int] = [:]
    private var initialWindow = 65_535
    private var isClosing = false

    init(_ number: Int, _ socket: StreamSocket, _ react: @escaping Reaction) {
        self.number = number
        self.socket = socket
        self.react = react
        reader = RequestReader(socket: socket)
    }

    mutating func serve() {
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        guard (try? reader.readBytes(preface.count)) == preface, send(FrameType.settings, 0, 0, []) else { return }
        while !isClosing, let head = try? reader.readBytes(9) {
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard let payload = try? reader.readBytes(length) else { return }
            let stream = Self.number(head[5...]) & 0x7FFF_FFFF
            guard receive(head[3], flags: head[4], stream: stream, payload) else { return }
        }
    }

    private mutating func receive(_ type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) -> Bool {
        switch type {
        case FrameType.headers:
            open[stream] = ScriptedHTTP2Server.Request(connection: number, stream: stream)
            streamWindows[stream] = initialWindow
            return flags & Self.endOfStream == 0 || finish(stream)
        case FrameType.data:
            open[stream]?.content += payload
            let isRead = payload.isEmpty || (grant(0, payload.count) && grant(stream, payload.count))
            return isRead && (flags & Self.endOfStream == 0 || finish(stream))
        case FrameType.settings where flags & Self.acknowledgement == 0:
            apply(settings: payload)
            return send(FrameType.settings, Self.acknowledgement, 0, []) && flush()
        case FrameType.ping where flags & Self.acknowledgement == 0:
            return send(FrameType.ping, Self.acknowledgement, 0, payload)
        case FrameType.windowUpdate:
            let increment = Int(Self.number(payload) & 0x7FFF_FFFF)
            if stream == 0 { connectionWindow += increment } else { streamWindows[stream]? += increment }
            return flush()
        case FrameType.reset:
            open[stream] = nil
            outgoing.removeAll { $0.stream == stream }
            return true
        default: return true
        }
    }

    /// Performs the actions for a complete request.
    private mutating func finish(_ stream: UInt32) -> Bool {
        guard let request = open.removeValue(forKey: stream) else { return true }
        let actions = react(request, complete)
        complete.append(request)
        return actions.allSatisfy { perform($0) }
    }

    private mutating func perform(_ action: ScriptedHTTP2Server.Action) -> Bool {
        switch action {
        case .respond(let stream, let content): return respond(stream, content, endsStream: true)
        case .begin(let stream, let content): return respond(stream, content, endsStream: false)
        case .reset(let stream, let code): return send(FrameType.reset, 0, stream, Self.bytes(code))
        case .goAway(let last): return send(FrameType.goAway, 0, 0, Self.bytes(last) + Self.bytes(0))
        case .close:
            isClosing = true
            return true
        }
    }

    private mutating func respond(_ stream: UInt32, _ content: [UInt8], endsStream: Bool) -> Bool {
        // `:status: 200`, number 8 of HPACK's static table (RFC 7541 Appendix A).
        guard send(FrameType.headers, Self.endOfHeaders, stream, [0x88]) else { return false }
        outgoing.append(Outgoing(stream: stream, content: content[...], endsStream: endsStream))
        return flush()
    }

    /// Sends as much as the windows of the client allow.
    private mutating func flush() -> Bool {
        var waiting: [Outgoing] = []
        for var item in outgoing {
            repeat {
                let room = min(connectionWindow, streamWindows[item.stream] ?? 0, 16_384)
                guard room > 0 || item.content.isEmpty else { break }
                let part = item.content.prefix(room)
                item.content = item.content.dropFirst(part.count)
                let ends = item.endsStream && item.content.isEmpty
                guard send(FrameType.data, ends ? Self.endOfStream : 0, item.stream, Array(part)) else { return false }
                connectionWindow -= part.count
                streamWindows[item.stream]? -= part.count
            } while !item.content.isEmpty
            if !item.content.isEmpty { waiting.append(item) }
        }
        outgoing = waiting
        return true
    }

    /// SETTINGS_INITIAL_WINDOW_SIZE also changes the windows of open streams (§6.9.2).
    private mutating func apply(settings payload: [UInt8]) {
        for start in stride(from: 0, to: payload.count - 5, by: 6) {
            guard payload[start] == 0, payload[start + 1] == 4 else { continue }
            let size = Int(Self.number(payload[(start + 2)...]))
            for stream in streamWindows.keys { streamWindows[stream]? += size - initialWindow }
            initialWindow = size
        }
    }

    private func grant(_ stream: UInt32, _ count: Int) -> Bool {
        send(FrameType.windowUpdate, 0, stream, Self.bytes(UInt32(count)))
    }

    private func send(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> Bool {
        let length = Array(Self.bytes(UInt32(payload.count)).dropFirst())
        let head: [UInt8] = length + [type, flags] + Self.bytes(stream)
        return socket.sendAll(head + payload)
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
