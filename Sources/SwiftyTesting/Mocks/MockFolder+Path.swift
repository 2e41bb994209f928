// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension MockFolder {
    /// The file for a request received over a socket, of which only method and path are known, and the values of the
    /// variables in its path; `nil` if no file answers it.
    ///
    /// The file with more literal segments wins, then one for the method. A file for GET also answers HEAD.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` if two files match equally well.
    func entry(method: String, path: String) throws(SwiftyError) -> (entry: Entry, values: [String: String])? {
        var best: (entry: Entry, values: [String: String], rank: Int)?
        for entry in entries {
            guard let claim = entry.claim(onMethod: method), let values = entry.values(in: path) else { continue }
            let rank = 4 * entry.literalCount + claim
            if let best, best.rank == rank { throw ambiguous([best.entry, entry]) }
            if rank > best?.rank ?? -1 { best = (entry, values, rank) }
        }
        return best.map { ($0.entry, $0.values) }
    }

    /// Checks that no two files answer the same requests.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable``, which names them.
    func checkUnambiguous() throws(SwiftyError) {
        var known: [String: Entry] = [:]
        for entry in entries {
            if let other = known.updateValue(entry, forKey: "\(entry.method ?? "") \(entry.shape)") {
                throw ambiguous([other, entry])
            }
        }
    }

    /// The error of files that answer the same request.
    func ambiguous(_ entries: [Entry]) -> SwiftyError {
        let names = entries.map { "\(path)/\($0.name)" }.joined(separator: " and ")
        return .mockUnavailable("the mock files \(names) answer the same request; remove all but one")
    }

    /// The three files nearest to a request, each with the differences.
    func nearest(toMethod method: String, path: String) -> [String] {
        let path = Self.key(ofTemplate: path)
        let ranked = entries.map { entry in
            let isMethod = entry.claim(onMethod: method) != nil
            let distance = entry.values(in: path) == nil ? 1 + entry.key.editDistance(to: path) : 0
            let facts = [
                distance > 0 ? "it is the file of \"\(entry.key)\"" : nil, isMethod ? nil : "the method is \(method)",
            ]
            return (
                "\(entry.name), but \(facts.compactMap(\.self).joined(separator: ", "))",
                distance * 2 + (isMethod ? 0 : 1)
            )
        }
        return ranked.sorted { $0.1 < $1.1 }.prefix(3).map(\.0)
    }
}

extension MockFolder.Entry {
    private var pathPattern: MockPath { MockPath(key == "index" ? "" : key) }

    /// The values of the variables in a path; `nil` for another path.
    fileprivate func values(in path: String) -> [String: String]? {
        let path = MockPath.normalize(path)
        // An export never makes hidden files.
        return pathPattern.values(in: path)
            ?? pathPattern.values(
                in: path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
                    segment.hasPrefix(".") ? "%2E" + segment.dropFirst() : String(segment)
                }.joined(separator: "/")
            )
    }

    /// The match score of the file's method; `nil` without a match.
    fileprivate func claim(onMethod other: String) -> Int? {
        switch method {
        case other: 2
        case "GET" where other == "HEAD": 1
        case nil: 0
        default: nil
        }
    }

    fileprivate var literalCount: Int { pathPattern.text.split(separator: "/").count { !$0.contains("{") } }

    /// The template without the names of its variables.
    fileprivate var shape: String {
        key.replacing(#/\{[^}]*\}/#, with: "{}")
    }
}
