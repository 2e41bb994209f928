// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftySupport

/// The names of the mock files of recorded exchanges, without extensions.
struct ExportedNames {
    /// The names with their exchanges, in the order of their first recording.
    private(set) var groups: [(name: String, entries: [HAREntry])] = []

    init(_ entries: [HAREntry]) {
        let hosts = Set(entries.map { Self.split($0.request.url).host })
        for (place, same) in Self.grouped(entries, by: { Self.place(of: $0, hasFolders: hosts.count > 1) }) {
            let method = Self.suffix(forMethod: same[0].request.method)
            let names = Set(same.map(\._name))
            guard names.count > 1, !names.contains(nil) else {
                groups.append((place + method, same))
                continue
            }
            let host = Self.split(same[0].request.url).host
            let folder = hosts.count > 1 && !host.isEmpty ? "\(Self.fileName(host))/" : ""
            for (name, own) in Self.grouped(same, by: { Self.fileName($0._name ?? "") }) {
                groups.append((folder + name + method, own))
            }
        }
    }

    private static func grouped(
        _ entries: [HAREntry],
        by key: (HAREntry) -> String
    ) -> [(key: String, entries: [HAREntry])] {
        var groups: [(key: String, method: String, entries: [HAREntry])] = []
        for entry in entries {
            let (key, method) = (key(entry), entry.request.method)
            if let index = groups.firstIndex(where: { $0.key == key && $0.method == method }) {
                groups[index].entries.append(entry)
            } else {
                groups.append((key, method, [entry]))
            }
        }
        return groups.map { ($0.key, $0.entries) }
    }

    /// The template of a request, or the path of its URL, in the folder of its server if there are several.
    private static func place(of entry: HAREntry, hasFolders: Bool) -> String {
        let (host, path) = split(entry.request.url)
        let segments = MockFolder.key(ofTemplate: entry._template ?? path).split(separator: "/")
        let name = segments.map { fileName(String($0)) }.joined(separator: "/")
        return hasFolders && !host.isEmpty ? "\(fileName(host))/\(name)" : name
    }

    /// A segment as a file name: neither hidden nor outside of the folder, whatever another program has stored.
    private static func fileName(_ segment: String) -> String {
        let isDot = segment.hasPrefix(".")
        let name = isDot ? "%2E" + segment.dropFirst() : segment
        return String(name.map { $0 == "/" || $0 == "\0" ? "-" : $0 })
    }

    /// The method after a name. Mock files support only methods in capital letters.
    private static func suffix(forMethod method: String) -> String {
        let isWord = !method.isEmpty && method.allSatisfy { $0.isASCII && $0.isUppercase }
        return isWord ? ".\(method)" : ""
    }

    private static func split(_ url: String) -> (host: String, path: String) {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let path = rest[authority.endIndex...].prefix { !"?#".contains($0) }
        // Credentials, which another program may have stored, are no part of a name.
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return (String(host).lowercased(), String(path))
    }
}
