// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs a script on one connection, on the thread of that connection.
struct ScriptedConnection {
    private let number: Int
    private let socket: StreamSocket
    private let log: RequestLog
    private let remotePort: Int
    private var reader: RequestReader
    /// The request whose head, but not yet content, was read, and its number in the log.
    private var unfinished: (request: RecordedRequest, number: Int)?

    init(number: Int, socket: StreamSocket, log: RequestLog) {
        self.number = number
        self.socket = socket
        self.log = log
        remotePort = socket.remotePort()
        reader = RequestReader(socket: socket)
    }

    /// Performs all steps, or those until the connection ends, and closes the connection.
    mutating func run(_ script: [ScriptedServer.Step]) {
        var ending = ScriptedServer.Step.close
        for step in script {
            if step == .close || step == .reset {
                ending = step
                break
            }
            guard perform(step) else { break }
        }
        if ending == .reset { socket.resetOnClose() } else { socket.finishSending() }
    }

    /// Performs one step; `false` if the connection has ended.
    private mutating func perform(_ step: ScriptedServer.Step) -> Bool {
        switch step {
        case .readRequest:
            guard let number = readHead() else { return false }
            defer { log.offer(number) }
            return readContent()
        case .readHead:
            guard let number = readHead() else { return false }
            log.offer(number)
        case .readContent: return readContent()
        case .skip(let count): return (try? reader.skip(count)) != nil
        case .send(let bytes): return socket.sendAll(bytes)
        case .pause(let duration): return !socket.waitForEnd(atMost: duration)
        case .halfClose: socket.shutDownSending()
        case .stall: socket.waitUntilPeerLeaves()
        case .close, .reset: return false
        }
        return true
    }

    /// Records the next head and returns its number in the log; `nil` if the peer sends none.
    private mutating func readHead() -> Int? {
        guard let bytes = try? reader.readHead() else { return nil }
        let request = RecordedRequest(lenientHead: bytes, connection: number, remotePort: remotePort)
        let number = log.append(request)
        unfinished = (request, number)
        return number
    }

    private mutating func readContent() -> Bool {
        guard let (started, number) = unfinished else { return true }
        unfinished = nil
        guard let content = try? reader.readContent(started.lenientFraming) else { return false }
        var request = started
        request.setContent(content)
        log.update(request, number: number)
        return true
    }
}

extension RecordedRequest {
    /// The framing of the content, read as leniently as the head.
    fileprivate var lenientFraming: ContentFraming {
        if values(of: "Transfer-Encoding").contains(where: { $0.lowercased().contains("chunked") }) { return .chunked }
        guard let length = self["Content-Length"].flatMap({ Int($0) }), length > 0 else { return .none }
        return .length(length)
    }
}
