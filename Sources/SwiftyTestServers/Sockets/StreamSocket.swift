// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A blocking TCP socket on the loopback interface: wraps the few system calls that the servers need, and their
/// differences between systems.
///
/// A value only names the descriptor. The owner closes it once; other threads may call `shutDown` meanwhile.
struct StreamSocket: Sendable {
    let descriptor: Int32

    /// A failed system call and its reason.
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
        let listener = StreamSocket(descriptor: openDescriptor())
        guard listener.descriptor >= 0 else { throw SystemCallError("socket") }
        do {
            try listener.bindToLoopback(port)
            guard listen(listener.descriptor, backlog) == 0 else { throw SystemCallError("listen") }
        } catch {
            listener.close()
            throw error
        }
        return listener
    }

    /// A Unix domain socket that listens at a path, which must not exist.
    static func listening(path: String) throws -> StreamSocket {
        let listener = StreamSocket(descriptor: openDescriptor(AF_UNIX))
        guard listener.descriptor >= 0 else { throw SystemCallError("socket") }
        do {
            try listener.bindToPath(path)
            guard listen(listener.descriptor, 16) == 0 else { throw SystemCallError("listen") }
        } catch {
            listener.close()
            throw error
        }
        return listener
    }

    /// A socket that is connected to a port of 127.0.0.1.
    static func connected(to port: Int) throws -> StreamSocket {
        let socket = StreamSocket(descriptor: openDescriptor())
        guard socket.descriptor >= 0 else { throw SystemCallError("socket") }
        guard socket.connectToLoopback(UInt16(clamping: port)) else {
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

    private func connectToLoopback(_ port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safety: as in `bindToLoopback`.
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
    }

    private func bindToLoopback(_ port: UInt16) throws {
        set(SOL_SOCKET, SO_REUSEADDR, to: Int32(1))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safety: `sockaddr_in` is the IPv4 form of `sockaddr`, and `size` is its size; both outlive the call.
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard result == 0 else { throw SystemCallError("bind") }
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
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Safety: as in `bindToLoopback`, for the form of Unix domain sockets.
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { !isTooLong && bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { throw SystemCallError("bind") }
    }

    /// The port that the socket is bound to.
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
        // Safety: as in `bindToLoopback`; the kernel writes at most `size` bytes.
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &size) }
        }
        return result == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }

    /// The next connection; `nil` if accepting it failed.
    func acceptConnection() -> StreamSocket? {
        let accepted = Self.acceptDescriptor(descriptor)
        guard accepted >= 0 else { return nil }
        let connection = StreamSocket(descriptor: accepted)
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

    /// Ends one or both directions; a thread that is blocked in a call on the socket returns.
    func shutDown(_ direction: Direction) {
        _ = shutdown(descriptor, direction.rawValue)
    }

    /// The directions that `shutDown` can end.
    enum Direction {
        case sending
        case both

        var rawValue: Int32 {
            switch self {
            case .sending: Int32(SHUT_WR)
            case .both: Int32(SHUT_RDWR)
            }
        }
    }

    /// Makes the next `close` send RST instead of FIN.
    func resetOnClose() {
        set(SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    func close() {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, to value: Value) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }
}

// MARK: - Differences between systems

extension StreamSocket {
    private static func openDescriptor(_ family: Int32 = AF_INET) -> Int32 {
        #if canImport(Darwin)
        let type = SOCK_STREAM
        #else
        let type = Int32(SOCK_STREAM.rawValue)
        #endif
        return protected(socket(family, type, 0))
    }

    private static func acceptDescriptor(_ listener: Int32) -> Int32 {
        protected(accept(listener, nil, nil))
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
