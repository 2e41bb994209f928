// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Carries bytes between two connections, on the thread that calls `run`, until both directions have ended.
///
/// The end of one direction (FIN) and a reset (RST) are also carried, so that both peers see what they would see
/// without a relay.
struct Relay<Near: RelayEnd, Far: RelayEnd> {
    private struct Direction {
        var line = DelayLine()
        var isFinished = false

        /// Whether there is room for more bytes: on a path with latency, for those of a fast connection.
        func wantsBytes(_ conditions: Link.Conditions?) -> Bool {
            !line.hasEnded && line.bytes.count < (conditions?.latency ?? .zero > .zero ? 4_194_304 : 65_536)
        }

        /// The number of bytes that may pass now.
        func allowance(_ conditions: Link.Conditions?) -> Int {
            let due = line.dueCount
            return conditions?.allowance(due) ?? due
        }
    }

    private var near: Near
    private var far: Far
    private var outward = Direction()
    private var inward = Direction()
    private let link: Link?

    init(_ near: Near, _ far: Far, link: Link? = nil) {
        self.near = near
        self.far = far
        self.link = link
    }

    /// Carries bytes until the end; the caller closes the sockets, which sends RST to both sides if one has sent it.
    mutating func run() {
        near.socket.makeNonblocking()
        far.socket.makeNonblocking()
        while !(outward.isFinished && inward.isFinished) {
            if let fault = link?.fault { return end(by: fault) }
            guard let first = Self.move(&outward, from: &near, to: &far, link?.outward),
                let second = Self.move(&inward, from: &far, to: &near, link?.inward)
            else { return end(by: .reset) }
            if !first && !second { wait() }
        }
    }

    private mutating func end(by fault: Link.Fault) {
        switch fault {
        case .close:
            near.finishWriting()
            far.finishWriting()
        case .reset:
            near.socket.resetOnClose()
            far.socket.resetOnClose()
        }
    }

    /// Moves bytes in one direction.
    ///
    /// - Returns: Whether anything has moved; `nil` after a reset.
    private static func move(
        _ direction: inout Direction,
        from source: inout some RelayEnd,
        to target: inout some RelayEnd,
        _ conditions: Link.Conditions?
    ) -> Bool? {
        var hasMoved = false
        if direction.wantsBytes(conditions) {
            let latency = conditions?.latency ?? .zero
            switch source.read(atMost: 16_384) {
            case .bytes(let bytes):
                direction.line.append(bytes, latency: latency)
                hasMoved = true
            case .nothingYet: break
            case .end: direction.line.end(latency: latency)
            case .failed: return nil
            }
        }
        let allowed = direction.allowance(conditions)
        if allowed > 0 {
            guard let count = target.write(direction.line.bytes.prefix(allowed)) else { return nil }
            conditions?.take(count)
            direction.line.removeFirst(count)
            hasMoved = hasMoved || count > 0
        }
        if direction.line.isOver, !direction.isFinished {
            target.finishWriting()
            direction.isFinished = true
            hasMoved = true
        }
        return hasMoved
    }

    /// Waits until an end can be read or written, or the conditions may have changed.
    private func wait() {
        let limit: Duration = link == nil ? .seconds(3_600) : .milliseconds(5)
        near.socket.wait(
            with: far.socket,
            reading: (outward.wantsBytes(link?.outward), inward.wantsBytes(link?.inward)),
            writing: (inward.allowance(link?.inward) > 0, outward.allowance(link?.outward) > 0),
            atMost: limit
        )
    }
}
