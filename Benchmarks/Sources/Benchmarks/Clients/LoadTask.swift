// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is loaded, by whichever client.
struct LoadTask: Codable, Sendable {
    /// On 127.0.0.1, or any name if there is one host.
    var url: String
    /// PEM file of the authority of the server's certificate.
    var authority: String?
    /// File with JSON to be posted; a GET if there is none.
    var contentFile: String?
    /// Whether the content of the response is decoded as an ``Answer``.
    var decodes = false
    /// Whether HTTP/2 is left out, even where the server offers it.
    var isHTTP1 = false
    /// Loads in flight at once.
    var inFlight: Int
    /// To how many hosts the loads go in turn: addresses from 127.1.0.1 on, on which the same server listens.
    var hosts = 1

    /// Fields that every client sends.
    static let fields = ["Accept": "application/json", "User-Agent": "benchmark"]
    static let contentType = "application/json"
    /// How many seconds a load may take, or a connection: on a busy machine, nobody's time limits are measured.
    static let patience: Int64 = 150

    /// Where the loads go, in turn.
    var urls: [String] {
        if hosts == 1 { return [url] }
        return (0..<hosts).map { url.replacingOccurrences(of: "127.0.0.1", with: Self.address($0)) }
    }

    var content: Data? {
        get throws { try contentFile.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } }
    }

    static func address(_ host: Int) -> String { "127.1.\(host / 250).\(host % 250 + 1)" }
}

/// What the server answers a POST with.
struct Answer: Decodable, Sendable {
    struct Item: Decodable {
        let id: Int
        let name: String
        let price: Double
        let tags: [String]
    }

    let total: Int
    let items: [Item]

    /// A decoder for each response, as a program has that does not care.
    static func decode(_ content: Data) throws {
        _ = try JSONDecoder().decode(Answer.self, from: content)
    }
}
