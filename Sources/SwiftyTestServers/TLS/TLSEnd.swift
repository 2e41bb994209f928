// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A connection with TLS, on a socket that does not block. Belongs to one thread, and lives until `close`.
struct TLSEnd: RelayEnd {
    let socket: StreamSocket
    private let library: OpenSSL
    private let object: OpenSSL.Object

    /// Performs the handshake; `nil` if it fails, after the alert that OpenSSL sends.
    init?(_ socket: StreamSocket, _ context: TLSContext) {
        library = context.library
        self.socket = socket
        guard let object = library.makeConnection(context.object) else { return nil }
        self.object = object
        library.clearErrors()
        // The socket still blocks.
        guard library.setDescriptor(object, socket.descriptor) > 0, library.accept(object) > 0 else {
            library.freeConnection(object)
            return nil
        }
    }

    func close() {
        library.freeConnection(object)
    }

    func read(atMost limit: Int) -> RelayRead {
        var bytes = [UInt8](repeating: 0, count: limit)
        library.clearErrors()
        let count = library.read(object, &bytes, Int32(limit))
        guard count > 0 else { return outcome(of: count) }
        bytes.removeLast(limit - Int(count))
        return .bytes(bytes)
    }

    private func outcome(of result: Int32) -> RelayRead {
        switch library.error(object, result) {
        case OpenSSL.wantsRead, OpenSSL.wantsWrite: .nothingYet
        case OpenSSL.closed: .end
        // A peer that leaves without close_notify has also ended its stream.
        default: socket.hasPeerLeft ? .end : .failed
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        library.clearErrors()
        // Safety: OpenSSL reads the bytes within the call; a call that is repeated gives the same bytes again.
        let result = bytes.withUnsafeBytes { library.write(object, $0.baseAddress, Int32($0.count)) }
        if result > 0 { return Int(result) }
        return outcome(of: result) == .nothingYet ? 0 : nil
    }

    /// Sends close_notify and FIN.
    func finishWriting() {
        library.clearErrors()
        _ = library.shutDown(object)
        socket.shutDownSending()
    }
}
