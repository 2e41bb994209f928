// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Sends bytes over a connection at a rate, ten times a second.
struct Pacer {
    private let socket: StreamSocket
    private let bytesPerSecond: Int?
    /// The time at which the next bytes may be sent.
    private var free = ContinuousClock.now

    /// - Parameter bytesPerSecond: The rate, at least 1; `nil` does not limit it.
    init(socket: StreamSocket, bytesPerSecond: Int?) {
        self.socket = socket
        self.bytesPerSecond = bytesPerSecond.map { max(1, $0) }
    }

    /// - Returns: Whether the client is still there.
    mutating func send(_ bytes: [UInt8]) -> Bool {
        guard let bytesPerSecond else { return socket.sendAll(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let pause = ContinuousClock.now.duration(to: free)
            if pause > .zero, socket.waitForEnd(atMost: pause) { return false }
            let part = rest.prefix(max(1, bytesPerSecond / 10))
            guard socket.sendAll(Array(part)) else { return false }
            free = max(free, .now) + .seconds(Double(part.count) / Double(bytesPerSecond))
            rest = rest.dropFirst(part.count)
        }
        return true
    }
}
