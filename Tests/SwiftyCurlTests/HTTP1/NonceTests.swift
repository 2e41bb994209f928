// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// Ten thousand loads, in all, on shared connections that the server of `Tests/Peers/nonces.py` poisons.
@Suite("Nonces over poisoned connections", .timeLimit(.minutes(15)))
struct NonceTests {
    /// What the server does with a request; see `nonces.py`.
    private enum Kind: String, CaseIterable {
        case clean, chunked, hinted
        case excess, second, record, chunks, partial, hint, ended
        case early
        case both, lengths, head, content, silent

        /// Whether the response is complete and unambiguous. A POST may meet a connection that has ended.
        var mustSucceed: Bool {
            switch self {
            case .early, .both, .lengths, .head, .content, .silent: false
            default: true
            }
        }

        /// Whether nothing proper can come of it.
        var mustFail: Bool {
            switch self {
            case .both, .lengths, .head, .content, .silent: true
            default: false
            }
        }

        static func random(using random: inout SplitMix) -> Kind {
            let isUsual = Bool.random(using: &random)
            return (isUsual ? [.clean, .chunked, .hinted] : allCases).randomElement(using: &random) ?? .clean
        }
    }

    private static let seed: UInt64 = 10
    private static let lanes = 20

    @Test("every response is the one to its own request", arguments: ["http", "https"])
    func nonces(_ scheme: String) async throws {
        let peer = try await PythonPeer("nonces.py", makes: "ports", files: try await TLSPeer.files(option: ""))
        let ports = try peer.text(of: "ports").split(separator: " ").compactMap { Int($0) }
        let port = try #require(scheme == "http" ? ports.first : ports.last)
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(peer.folder.path("ca.pem"))
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: port): ["127.0.0.1"]]
            }
        )
        let url = "\(scheme)://localhost:\(port)/"
        let count = await withTaskGroup(of: Int.self) { group in
            for lane in 0..<Self.lanes { group.addTask { await run(lane, url, transport) } }
            return await group.reduce(0, +)
        }
        #expect(count > 500, "only \(count) loads were on reused connections")
        await transport.shutdown()
    }

    /// Loads one response after another. Returns the number of those on connections that were used before.
    private func run(_ lane: Int, _ url: String, _ transport: CurlTransport) async -> Int {
        var random = SplitMix(seed: Self.seed &+ UInt64(lane))
        var reused = 0
        for number in stride(from: lane, to: 5_000, by: Self.lanes) {
            let kind = Kind.random(using: &random)
            let isReused = await load("\(url)\(kind.rawValue)/n\(number)n", kind, "n\(number)n", transport)
            if isReused { reused += 1 }
        }
        return reused
    }

    /// Loads and checks a response. Returns whether its connection was used before.
    private func load(_ url: String, _ kind: Kind, _ nonce: String, _ transport: CurlTransport) async -> Bool {
        let content = Data(String(repeating: "GET /second/evil HTTP/1.1\r\n\r\n", count: 2_000).utf8)
        let body = kind == .early ? content : nil
        do {
            let request = try NetworkRequest.to(url, method: body == nil ? .get : .post, content: body)
            switch await transport.result(of: request) {
            case .success(let response):
                let isOwn = response.text == nonce && response.head["X-Nonce"] == nonce
                if !isOwn || kind.mustFail { Issue.record("\(url): \(response.head.headers) \(response.text)") }
                return response.metrics.isConnectionReused
            case .failure(let error):
                let arrived = String(decoding: error.content ?? Data(), as: UTF8.self)
                let isOwn = nonce.hasPrefix(arrived) && [nil, nonce].contains(error.head?["X-Nonce"])
                if !isOwn || kind.mustSucceed { Issue.record("\(url): \(error) \(arrived)") }
            }
        } catch {
            Issue.record(error)
        }
        return false
    }
}
