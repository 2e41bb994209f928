// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport

/// The server of the fuzzing run, `Tests/Peers/fuzz.py`: a seed and a request's number determine its response.
struct FuzzServer {
    /// The route of a request to the server.
    enum Way: CaseIterable {
        case plain
        case secure
        case http2
        /// Through a tunnel of the server, which corrupts some responses to CONNECT.
        case tunnel
        /// In HTTP/1.1 with `Expect: 100-continue`.
        case expecting
    }

    private let process: PythonPeer
    private let ports: [Int]

    init(seed: UInt64) async throws {
        process = try await PythonPeer("fuzz.py", makes: "ports", files: try await TLSPeer.files(option: "\(seed)"))
        ports = try process.text(of: "ports").split(separator: " ").compactMap { Int($0) }
        guard ports.count == 3 else {
            throw ExternalProgram.Unavailable(description: "fuzz.py names \(ports.count) ports")
        }
    }

    /// A transport for one route to the server.
    func transport(_ way: Way) -> CurlTransport {
        let loopback = ["127.0.0.1"]
        return CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(process.folder.path("ca.pem"))
                for port in ports {
                    $0.settings.addresses.overrides[HostAndPort(host: "localhost", port: port)] = loopback
                }
                if way == .tunnel {
                    $0.settings.proxy = .proxy(
                        TransportSettings.Proxy(.http, at: HostAndPort(host: "127.0.0.1", port: ports[0]))
                    )
                }
                if way == .expecting { $0.settings.connections.expectContinueThreshold = 0 }
            }
        )
    }

    /// The request with this number, whose response is correct or mutated.
    func request(_ number: Int, _ way: Way, method: HTTPRequest.Method, isCalm: Bool) throws -> NetworkRequest {
        let path = isCalm ? "calm/\(number)" : "\(number)"
        let body = method == .get || method == .head ? nil : Data(repeating: UInt8(ascii: "b"), count: number % 200)
        return try .to(
            url(way) + path,
            method: method,
            content: body,
            timeouts: NetworkRequest.Timeouts(total: .seconds(60))
        )
    }

    private func url(_ way: Way) -> String {
        switch way {
        case .plain, .expecting: "http://localhost:\(ports[0])/"
        case .secure, .tunnel: "https://localhost:\(ports[1])/"
        case .http2: "https://localhost:\(ports[2])/"
        }
    }

    /// The numbers of the POSTs that reached the server more than once, although it had not refused them.
    func doubledRequests() async throws -> [String] {
        let text = try await transport(.plain).get("http://localhost:\(ports[0])/doubles").text
        return text.split(separator: "\n").map(String.init)
    }
}
