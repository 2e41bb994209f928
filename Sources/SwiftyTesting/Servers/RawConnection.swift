// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs a script on one connection, on the thread of that connection.
struct RawConnection {
    let number: Int
    let socket: StreamSocket
    let log: RawRequestLog
    private var reader: RequestReader
    private var head: (request: RawRequest, place: Int)?

    init(number: Int, socket: StreamSocket, log: RawRequestLog) {
        self.number = number
        self.socket = socket
        self.log = log
        reader = RequestReader(socket: socket)
    }

    /// Does all steps, or those until the connection ends, and ends the connection.
    mutating func run(_ script: [RawServer.Step]) {
        var ending = RawServer.Step.close
        for step in script {
            if step == .close || step == .reset {
                ending = step
                break
            }
            guard perform(step) else { break }
        }
        if ending == .reset { socket.resetOnClose() } else { socket.finishSending() }
    }

    /// Does one step; false if the connection has ended.
    private mutating func perform(_ step: RawServer.Step) -> Bool {
        switch step {
        case .readRequest: return readHead() && readBody()
        case .readHead: return readHead()
        case .readBody: return readBody()
        case .skip(let count): return (try? reader.skip(count)) != nil
        case .send(let bytes): return socket.sendAll(bytes)
        case .pause(let duration): return !socket.waitForEnd(atMost: duration)
        case .halfClose: socket.shutDown(.sending)
        case .stall: socket.waitUntilPeerLeaves()
        case .close, .reset: return false
        }
        return true
    }

    private mutating func readHead() -> Bool {
        guard let bytes = try? reader.readHead() else { return false }
        let request = RawRequest(connection: number, head: bytes)
        head = (request, log.append(request))
        return true
    }

    private mutating func readBody() -> Bool {
        guard let (started, place) = head else { return true }
        head = nil
        guard let body = try? reader.readBody(started.framing) else { return false }
        var request = started
        request.wireBody = body.wire
        request.body = body.decoded
        log.update(request, at: place)
        return true
    }
}
