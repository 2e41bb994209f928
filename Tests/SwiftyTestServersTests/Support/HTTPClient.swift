// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport

/// A response as it was on the wire.
struct WireResponse {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var content = Data()
    /// The sizes of the chunks, if it was chunked.
    var chunks: [Int] = []

    subscript(name: String) -> String? { values(of: name).first }

    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    var text: String { String(decoding: content, as: UTF8.self) }

    /// A member of the JSON content, found by a path such as `headers.Host`.
    func member(_ path: String) -> (any Sendable)? {
        var value = try? JSONSerialization.jsonObject(with: content)
        for key in path.split(separator: ".") { value = (value as? [String: Any])?[String(key)] }
        switch value {
        case let text as String: return text
        case let number as NSNumber: return number.doubleValue
        case let list as [String]: return list
        default: return nil
        }
    }

    func text(_ path: String) -> String? { member(path) as? String }

    /// The keys of the JSON object, sorted.
    var keys: [String] {
        ((try? JSONSerialization.jsonObject(with: content)) as? [String: Any])?.keys.sorted() ?? []
    }
}

extension SocketClient {
    /// Sends one request with `Host` and reads its response.
    func exchange(
        _ method: String = "GET",
        _ target: String,
        _ headers: [(String, String)] = [],
        content: String? = nil
    ) throws -> WireResponse {
        try exchange(method, target, headers, bytes: content.map { Array($0.utf8) })
    }

    func exchange(
        _ method: String,
        _ target: String,
        _ headers: [(String, String)] = [],
        bytes: [UInt8]?
    ) throws -> WireResponse {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: test.local:1234\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let bytes { head += "Content-Length: \(bytes.count)\r\n" }
        try send(Array("\(head)\r\n".utf8) + (bytes ?? []))
        return try readResponse(isHead: method == "HEAD")
    }

    func readResponse(isHead: Bool = false) throws -> WireResponse {
        var response = WireResponse()
        response.status = Int(try readLine().split(separator: " ")[1]) ?? 0
        while case let line = try readLine(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            response.headers.append((String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)))
        }
        if isHead || response.status == 304 || response.status == 204 || response.status < 200 { return response }
        if response["Transfer-Encoding"] == "chunked" {
            try readChunks(&response)
        } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.content = Data(try read(length))
        } else {
            response.content = Data(try readToEnd())
        }
        return response
    }

    private func readChunks(_ response: inout WireResponse) throws {
        while let size = Int(try readLine(), radix: 16), size > 0 {
            response.content += try read(size)
            response.chunks.append(size)
            _ = try readLine()
        }
        _ = try readLine()
    }
}

extension LoopbackServerTesting {
    /// Sends one request on a connection of its own.
    func fetch(
        _ method: String = "GET",
        _ target: String,
        _ headers: [(String, String)] = [],
        content: String? = nil
    ) throws -> WireResponse {
        try SocketClient(port: server.port).exchange(method, target, headers, content: content)
    }
}

/// Runs the system's curl and returns its standard output.
func curl(_ arguments: String...) async throws -> Data {
    try await Program.require("curl", ["--silent", "--max-time", "30"] + arguments).bytes
}

/// A suite with a server of its own for each test.
protocol LoopbackServerTesting {
    var server: LoopbackServer { get }
}
