// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A blocking TCP client that writes and reads bytes, so that the tests see the bytes on the wire.
// Safety: used by one test at a time; `@unchecked` only because a test body may hop between threads.
package final class SocketClient: @unchecked Sendable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// The reason why a connection or a read failed.
    package enum Failure: Error, Equatable {
        case cannotConnect(Int32)
        case timedOut
        case reset
        case closed
    }

    package init(port: Int, timeout seconds: Int = 20) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { try Self.finishConnecting(descriptor, errno, seconds) }
    }

    /// Waits for a connection whose start a signal interrupted, for example when the process was stopped and continued.
    private static func finishConnecting(_ descriptor: Int32, _ error: Int32, _ seconds: Int) throws {
        guard error == EINTR else { throw Failure.cannotConnect(error) }
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var count: Int32
        repeat { count = poll(&state, 1, Int32(seconds) * 1_000) } while count < 0 && errno == EINTR
        guard count > 0 else { throw Failure.timedOut }
        var result: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &size) == 0, result == 0 else {
            throw Failure.cannotConnect(result)
        }
    }

    deinit {
        _ = close(descriptor)
    }

    /// The port on this side, which is the remote port for the server.
    package var localPort: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw Self.failure() }
            rest = rest.dropFirst(count)
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    private static func failure() -> Failure {
        switch errno {
        case EAGAIN, EWOULDBLOCK: .timedOut
        default: .reset
        }
    }

    /// Reads the bytes that have arrived into the buffer; `false` at the end of the stream.
    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw Self.failure() }
            buffer += chunk[..<count]
            return count > 0
        }
    }

    package func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try fill() else { throw Failure.closed }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// The next line, without its end.
    package func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(end + 1) }
                let line = buffer[..<end]
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            guard try fill() else { throw Failure.closed }
        }
    }

    /// All bytes until the server ends the stream.
    package func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { buffer = [] }
        return buffer
    }

    package func readTextToEnd() throws -> String { String(decoding: try readToEnd(), as: UTF8.self) }

    /// Ends this side's stream; the other side may still send.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }
}

/// Whether connections to the port of a stopped server are refused.
///
/// - Parameter stop: Starts a server, stops it and returns its port. Called up to three times: a server of another test
///   may take the port, and a program that another test starts holds a copy of the socket until it is executed.
package func refusesConnections(after stop: () async throws -> Int) async throws -> Bool {
    for _ in 0..<3 {
        let port = try await stop()
        if (try? SocketClient(port: port)) == nil { return true }
    }
    return false
}
