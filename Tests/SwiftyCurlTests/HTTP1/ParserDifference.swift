// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A class of responses that our parser takes differently from another one.
struct ParserDifference: Sendable {
    enum Peer: String, CaseIterable, Sendable {
        case h11
        case httptools
    }

    var name: String
    /// The reason for which the difference is right.
    var reason: String
    var peers: [Peer]
    /// Our reason for refusing the response; `nil` if it is accepted.
    var ours: String?
    /// The beginning of the peer's reason, or the parts that both understand differently; `nil` if the peer accepts it.
    var theirs: String?
    /// A pattern that the response has to match.
    var pattern = ""

    /// Whether a difference of a response, as ``between(_:_:)`` describes it, is of this class.
    func contains(_ difference: Found, _ text: String, _ peer: Peer) -> Bool {
        guard peers.contains(peer), difference.ours == ours else { return false }
        guard theirs == nil ? difference.theirs == nil : difference.theirs?.hasPrefix(theirs ?? "") == true else {
            return false
        }
        return pattern.isEmpty || text.range(of: pattern, options: .regularExpression) != nil
    }
}

extension ParserDifference {
    /// The reasons of two parsers for refusing a response, or the parts that they understand differently.
    struct Found: Hashable, CustomStringConvertible {
        var ours: String?
        var theirs: String?

        var description: String { "\(ours ?? "accepted"), theirs \(theirs ?? "accepted")" }
    }

    /// The difference of two results; `nil` if they agree. A response that is not complete is not accepted.
    static func between(_ ours: ParsedResponse, _ theirs: ParsedResponse, _ peer: Peer) -> Found? {
        switch (ours.verdict == ParsedResponse.complete, theirs.verdict == ParsedResponse.complete) {
        case (false, false): return nil
        case (true, false): return Found(ours: nil, theirs: theirs.verdict)
        case (false, true): return Found(ours: ours.verdict, theirs: nil)
        case (true, true):
            let parts = differentParts(ours, theirs, peer)
            return parts.isEmpty ? nil : Found(ours: nil, theirs: parts.joined(separator: ", "))
        }
    }

    private static func differentParts(_ ours: ParsedResponse, _ theirs: ParsedResponse, _ peer: Peer) -> [String] {
        let isEqual = [
            ("head", (ours.version, ours.status) == (theirs.version, theirs.status)),
            ("informational", ours.informational == theirs.informational),
            ("fields", ours.otherFields == theirs.otherFields),
            ("framing fields", ours.fields == theirs.fields || ours.otherFields != theirs.otherFields),
            ("content", ours.content == theirs.content), ("trailers", ours.trailers == theirs.trailers),
            // httptools does not say where a response ends.
            ("excess", ours.excess == theirs.excess || peer == .httptools),
            ("reuse", theirs.persists || !ours.persists),
        ]
        return isEqual.filter { !$0.1 }.map(\.0)
    }
}

extension ParsedResponse {
    fileprivate var otherFields: [[String]] {
        fields.filter { !["content-length", "transfer-encoding"].contains($0[0]) }
    }
}
