// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

@testable import SwiftyCurl

/// The result of a parser for the bytes of a response and the end of the connection; texts are Latin-1.
struct ParsedResponse: Equatable, Decodable, Sendable {
    static let complete = "complete"
    static let incomplete = "incomplete"

    /// Either of these two, or the reason for which the response is refused.
    var verdict = incomplete
    var version = ""
    var status = 0
    var informational: [Int] = []
    /// Names, in lower case, and values.
    var fields: [[String]] = []
    var content = ""
    var trailers: [[String]] = []
    /// The number of bytes behind the response.
    var excess = 0
    /// Whether the connection may be used again.
    var persists = false
}

extension ParsedResponse {
    /// Parses a response that arrives in pieces, whose lengths a closure returns.
    init(_ response: GeneratedResponse, rules: TransportSettings.Responses, pieceLength: () -> Int = { .max }) {
        let parser = ResponseParser(method: response.isToHead ? .head : .get, rules: rules)
        var content: [UInt8] = []
        response.bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = min(pieceLength(), rest.count)
                guard take(UnsafeRawBufferPointer(rebasing: rest[..<count]), parser, &content) else { break }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        self.content = String(latin1: content)
        if verdict == Self.incomplete, parser.receiveEndOfConnection() { verdict = Self.complete }
        persists = verdict == Self.complete && parser.allowsReuse
    }

    /// Takes a piece and returns whether more can follow.
    private mutating func take(
        _ piece: UnsafeRawBufferPointer,
        _ parser: ResponseParser,
        _ content: inout [UInt8]
    ) -> Bool {
        var rest = piece
        do throws(ResponseError) {
            while let event = try parser.next(in: &rest) { add(event, &content) }
        } catch {
            switch error {
            case .malformed(let reason), .tooLarge(let reason): verdict = reason
            }
            return false
        }
        excess += rest.count
        return true
    }

    private mutating func add(_ event: ResponseParser.Event, _ content: inout [UInt8]) {
        switch event {
        case .informational(let head): informational.append(head.statusCode)
        case .head(let head):
            (version, status) = (head.httpVersion.rawValue, head.statusCode)
            fields = head.headers.map { [$0.name.canonicalName, $0.latin1Value] }
        case .content(let bytes): content += bytes
        case .end(let trailers):
            verdict = Self.complete
            let section = ResponseHead(statusCode: 200, reasonPhrase: "", httpVersion: .http1_1, rawFields: trailers)
            self.trailers = section.headers.map { [$0.name.canonicalName, $0.latin1Value] }
        }
    }
}

extension HTTPField {
    fileprivate var latin1Value: String { withUnsafeBytesOfValue { String(latin1: $0) } }
}
