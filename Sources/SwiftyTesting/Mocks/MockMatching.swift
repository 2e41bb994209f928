// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftySupport

/// The comparison of a pattern with a request.
enum MockMatch {
    /// The request matches, with these values of the pattern's variables.
    case match([String: String])
    /// The differences, and a distance that ranks near misses.
    case mismatch([String], distance: Int)
}

extension MockPattern {
    func compare(with request: MockedRequest) -> MockMatch {
        let (values, place) = compareTarget(with: request)
        var differences = place.map { [$0.text] } ?? []
        var distance = place?.distance ?? 0
        for difference in [compareMethod(with: request)] + compareQuery(with: request) + compareFields(with: request) {
            guard let difference else { continue }
            differences.append(difference)
            distance += 2
        }
        let content = compareContent(with: request)
        differences += content.prefix(3)
        if content.count > 3 { differences.append("and \(content.count - 3) other differences of the content") }
        distance += content.isEmpty ? 0 : 1
        return differences.isEmpty ? .match(values) : .mismatch(differences, distance: distance)
    }

    private typealias Place = (text: String, distance: Int)

    private func compareTarget(with request: MockedRequest) -> (values: [String: String], difference: Place?) {
        switch target {
        case .anything: return ([:], nil)
        case .name(let name):
            if request.name == name { return ([:], nil) }
            let own = request.name ?? ""
            let facts = own.isEmpty ? "the request has no name" : "the name is \"\(own)\""
            return ([:], (facts, 4 + own.editDistance(to: name)))
        case .url(let url):
            if let values = url.values(in: request.request.target) { return (values, nil) }
            return ([:], ("the URL is \(request.request.redactor.uri(request.request.target))", 8))
        case .path(let pattern):
            let paths = request.isAtOwnOrigin ? [request.relativePath, request.path].compactMap(\.self) : []
            for path in paths {
                if let values = pattern.values(in: path) { return (values, nil) }
            }
            let template = request.template.map { MockPath.normalize($0) }
            if request.isAtOwnOrigin, template == pattern.text { return ([:], nil) }
            let path = template ?? request.path
            let shown = request.request.redactor.reference(path)
            return ([:], ("the path is \"\(shown)\"", 2 + min(20, path.editDistance(to: pattern.text))))
        }
    }

    private func compareMethod(with request: MockedRequest) -> String? {
        guard let method, method != request.method else { return nil }
        return "the method is \(request.method)"
    }

    private func compareQuery(with request: MockedRequest) -> [String?] {
        let items = request.query
        return query.sorted { $0.key < $1.key }.map { name, value in
            guard items[name] != value else { return nil }
            let redactor = request.request.redactor
            let shown = items[name].map { redactor.isSecret(name) ? "another" : "\"\(redactor.text($0))\"" }
            let found = shown ?? "absent"
            return "the query parameter \(name) is \(found)"
        }
    }

    private func compareFields(with request: MockedRequest) -> [String?] {
        fields.map { name, value in
            let found = request[name]
            if found != nil, value == nil || value == found { return nil }
            return "the field \(name) is \(found == nil ? "absent" : "another")"
        }
    }

    private func compareContent(with request: MockedRequest) -> [String] {
        guard let content else { return [] }
        if request.content.isEmpty { return ["there is no content"] }
        return JSONValue(request.content).differences(from: content, request.request.redactor).map {
            "in the content \($0)"
        }
    }
}

extension MockFolder.Entry {
    /// The differences between the request of a file and another request.
    func difference(from request: MockedRequest) -> (texts: [String], distance: Int) {
        let template = request.template.map { MockFolder.key(ofTemplate: $0) }
        let names = [request.name, template].compactMap(\.self)
        let distance = names.map { $0.editDistance(to: key) }.min() ?? 20
        var texts: [String] = []
        if distance > 0 {
            texts.append("it is the file of \"\(key)\"")
        }
        if let method, method != request.method { texts.append("the method is \(request.method)") }
        return (texts, distance + (method == nil || method == request.method ? 0 : 2))
    }
}

extension String {
    /// The number of characters to insert, remove or replace to turn this string into another; at most 20.
    func editDistance(to other: String) -> Int {
        let (one, two) = (Array(utf8.prefix(100)), Array(other.utf8.prefix(100)))
        var row = Array(0...two.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in two.indices {
                let cost = byte == two[column] ? diagonal : 1 + Swift.min(diagonal, row[column], row[column + 1])
                (diagonal, row[column + 1]) = (row[column + 1], cost)
            }
        }
        return Swift.min(20, row[two.count])
    }
}
