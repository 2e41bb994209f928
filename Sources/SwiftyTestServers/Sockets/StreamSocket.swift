// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A blocking TCP socket on the loopback interface: wraps the few system calls that the servers need, and their
/// differences between systems.
///
/// A value only names the descriptor. The owner closes it once; other threads may call `shutDown` meanwhile.
struct StreamSocket: Sendable {
    let descriptor: Int32

    struct SystemCallError: Error, CustomStringConvertible {
        let call: String
        let code: Int32

        init(_ call: String) {
            self.call = call
            code = errno
        }

        var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
    }

    /// A socket that listens on a port of 127.0.0.1, a free one if it is 0.
    static func listening(port: UInt16 = 0, backlog: Int32 = 512) throws -> StreamSocket {
        try listening(AF_INET, backlog: backlog) { try $0.bindToLoopback(port) }
    }

    /// A Unix domain socket that listens at a path, which must not exist.
    static func listening(path: String) throws -> StreamSocket {
        try listening(AF_UNIX, backlog: 16) { try $0.bindToPath(path) }
    }

    private static func listening(
        _ family: Int32,
        backlog: Int32,
        bind: (StreamSocket) throws -> Void
    ) throws -> StreamSocket {
        let listener = try open(family)
        do {
            try bind(listener)
            guard listen(listener.descriptor, backlog) == 0 else { throw SystemCallError("listen") }
        } catch {
            listener.close()
            throw error
        }
        return listener
    }

    /// A socket that is connected to a port of 127.0.0.1.
    static func connected(to port: Int) throws -> StreamSocket {
        let socket = try open(AF_INET)
        let address = loopback(port: UInt16(clamping: port))
        guard socket.pass(address, to: { connect($0, $1, $2) }) else {
            defer { socket.close() }
            throw SystemCallError("connect")
        }
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
        return socket
    }

    /// Two sockets of this process that are connected to each other.
    static func connectedPair() throws -> (StreamSocket, StreamSocket) {
        let listener = try listening(backlog: 1)
        defer { listener.close() }
        let first = try connected(to: listener.localPort())
        guard let second = listener.acceptConnection() else {
            defer { first.close() }
            throw SystemCallError("accept")
        }
        return (first, second)
    }

    private func bindToLoopback(_ port: UInt16) throws {
        set(SOL_SOCKET, SO_REUSEADDR, to: Int32(1))
        guard pass(Self.loopback(port: port), to: { bind($0, $1, $2) }) else { throw SystemCallError("bind") }
    }

    private func bindToPath(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        let isTooLong = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            guard bytes.count <= buffer.count else { return true }
            buffer.copyBytes(from: bytes)
            return false
        }
        if isTooLong { errno = ENAMETOOLONG }
        guard !isTooLong, pass(address, to: { bind($0, $1, $2) }) else { throw SystemCallError("bind") }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    /// Passes the descriptor, an address of any family, and its size to a system call; whether that succeeds.
    private func pass<Address>(
        _ address: Address,
        to call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Bool {
        let size = socklen_t(MemoryLayout<Address>.size)
        // Safety: `Address` is the form of `sockaddr` for a family, and `size` is its size; both outlive the call.
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, size) == 0 }
        }
    }

    func localPort() throws -> Int {
        guard let port = port(getsockname) else { throw SystemCallError("getsockname") }
        return port
    }

    /// The port of the peer, or 0 if it has already left.
    func remotePort() -> Int {
        port(getpeername) ?? 0
    }

    private func port(
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> Int? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safety: as in `pass`; the kernel writes at most `size` bytes.
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &size) }
        }
        return result == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    /// The next connection; `nil` if accepting it failed.
    func acceptConnection() -> StreamSocket? {
        let connection = StreamSocket(descriptor: Self.protected(accept(descriptor, nil, nil)))
        guard connection.descriptor >= 0 else { return nil }
        // Each step of a script is a separate segment: a test may split a line between two sends on purpose.
        connection.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
        return connection
    }

    /// Reads up to `limit` bytes, blocking; empty at the end of the stream and after any error.
    func receive(limit: Int = 65_536) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count: Int
        repeat {
            count = recv(descriptor, &bytes, bytes.count, 0)
        } while count < 0 && errno == EINTR
        bytes.removeLast(limit - max(0, count))
        return bytes
    }

    /// Writes all bytes, blocking; `false` if the peer has left.
    func sendAll(_ bytes: [UInt8]) -> Bool {
        // Safety: the pointers are only used within the closure, and `sent` never exceeds the count.
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let result = send(descriptor, rest.baseAddress, rest.count, Self.sendFlags)
                if result < 0 && errno == EINTR { continue }
                guard result > 0 else { return false }
                sent += result
            }
            return true
        }
    }

    /// Ends both directions; a thread that is blocked in a call on the socket returns.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Sends FIN.
    func shutDownSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the next `close` send RST instead of FIN.
    func resetOnClose() {
        set(SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    func close() {
        _ = Foundation.close(descriptor)
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, to value: Value) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

// MARK: - Differences between systems

extension StreamSocket {
    private static func open(_ family: Int32) throws -> StreamSocket {
        #if canImport(Darwin)
        let type = SOCK_STREAM
        #else
        let type = Int32(SOCK_STREAM.rawValue)
        #endif
        let opened = StreamSocket(descriptor: protected(socket(family, type, 0)))
        guard opened.descriptor >= 0 else { throw SystemCallError("socket") }
        return opened
    }

    /// The descriptor, not inherited by child processes and without SIGPIPE.
    private static func protected(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return descriptor }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        StreamSocket(descriptor: descriptor).set(SOL_SOCKET, SO_NOSIGPIPE, to: Int32(1))
        #endif
        return descriptor
    }

    static var sendFlags: Int32 {
        #if canImport(Darwin)
        0
        #else
        Int32(MSG_NOSIGNAL)
        #endif
    }
}
