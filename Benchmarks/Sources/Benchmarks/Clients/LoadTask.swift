// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client's work: the requests and how many run simultaneously.
struct LoadTask: Codable, Sendable {
    /// The URL; on 127.0.0.1 if there are several hosts.
    var url: String
    /// The PEM file of the authority of the server's certificate.
    var authority: String?
    /// The file with the JSON of a POST; `nil` for a GET.
    var contentFile: String?
    /// Whether the content of the response is decoded as an ``Answer``.
    var decodes = false
    /// Whether HTTP/1.1 is spoken even where the server offers HTTP/2.
    var isHTTP1 = false
    /// The number of loads in flight; with a rate, only before the measurement.
    var inFlight: Int
    /// The loads per second of an open loop; `nil` for the closed loop.
    var rate: Double?
    /// The number of hosts that the loads go to in turn: addresses from 127.1.0.1 on, all of the same server.
    var hosts = 1
    /// The number of header fields that are sent beside those of every request.
    var extraFields = 0

    private static let usualFields = ["Accept": "application/json", "User-Agent": "benchmark"]
    static let contentType = "application/json"
    /// The time limit of a load and of a connection, in seconds; long, because time limits are not measured here.
    static let patience: Int64 = 150
    /// The most loads of an open loop that may be under way.
    static let mostUnderWay = 20_000

    /// The most loads that can be under way simultaneously.
    var mostInFlight: Int { rate == nil ? inFlight : Self.mostUnderWay }

    /// The URLs that the loads go to, in turn.
    var urls: [String] {
        if hosts == 1 { return [url] }
        return (0..<hosts).map { url.replacingOccurrences(of: "127.0.0.1", with: Self.address($0)) }
    }

    /// The header fields of each request.
    var fields: [String: String] {
        let extra = (0..<extraFields).map { ("x-field-\($0)", "value \($0)") }
        return Self.usualFields.merging(extra) { _, extra in extra }
    }

    var content: Data? {
        get throws { try contentFile.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } }
    }

    static func address(_ host: Int) -> String { "127.1.\(host / 250).\(host % 250 + 1)" }
}

/// The JSON of the response to a POST.
struct Answer: Decodable, Sendable {
    struct Item: Decodable {
        let id: Int
        let name: String
        let price: Double
        let tags: [String]
    }

    let total: Int
    let items: [Item]

    /// Decodes the content with a new decoder, as most programs do.
    static func decode(_ content: Data) throws {
        _ = try JSONDecoder().decode(Answer.self, from: content)
    }
}
