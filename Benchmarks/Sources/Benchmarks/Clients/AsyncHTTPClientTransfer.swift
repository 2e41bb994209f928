// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The same transfer by AsyncHTTPClient, which has no lines and no events: a loop over the bytes of each part finds
/// their ends.
struct AsyncHTTPClientTransfer {
    let kind: TransferKind
    let url: String
    let file: String

    /// Returns the number of bytes, lines or events.
    func run() async throws -> Int {
        let http = HTTPClient(eventLoopGroupProvider: .singleton)
        let count = kind == .upload ? try await upload(http) : try await receive(http)
        try await http.shutdown()
        return count
    }

    private func receive(_ http: HTTPClient) async throws -> Int {
        let response = try await http.execute(HTTPClientRequest(url: url), timeout: .seconds(600))
        let target = kind == .file ? FileHandle(forWritingAtPath: try emptyFile()) : nil
        var ends = LineEnds()
        var count = 0
        for try await part in response.body {
            switch kind {
            case .lines: count += ends.count(in: part)
            case .events: count += ends.countEmptyLines(in: part)
            default: count += part.readableBytes
            }
            try target?.write(contentsOf: Data(part.readableBytesView))
        }
        return count
    }

    private func upload(_ http: HTTPClient) async throws -> Int {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        let length = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        var request = HTTPClientRequest(url: url)
        request.method = .PUT
        let parts = AsyncStream<ByteBuffer> {
            (try? handle.read(upToCount: 256 << 10)).flatMap { $0.isEmpty ? nil : ByteBuffer(bytes: $0) }
        }
        request.body = .stream(parts, length: .known(Int64(length)))
        let response = try await http.execute(request, timeout: .seconds(600))
        guard (200..<300).contains(response.status.code) else {
            throw UnexpectedStatus(code: Int(response.status.code))
        }
        return Int(length)
    }

    private func emptyFile() throws -> String {
        try Data().write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// Counts the ends of lines across parts.
private struct LineEnds {
    private var wasLineFeed = false

    mutating func count(in part: ByteBuffer) -> Int {
        part.readableBytesView.withUnsafeBytes { $0.reduce(0) { $1 == 0x0A ? $0 + 1 : $0 } }
    }

    mutating func countEmptyLines(in part: ByteBuffer) -> Int {
        var count = 0
        part.readableBytesView.withUnsafeBytes { bytes in
            for byte in bytes {
                if byte == 0x0A, wasLineFeed { count += 1 }
                wasLineFeed = byte == 0x0A
            }
        }
        return count
    }
}
