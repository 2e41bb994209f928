// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// The name of a file that a server's content is saved in: never a path, never hidden, never one that exists.
enum DownloadName {
    /// The name that the response suggests (RFC 6266), or the last part of the URL.
    static func suggested(by head: ResponseHead?, target: TargetURI?) -> String {
        let disposition = head?.headers[.contentDisposition].flatMap(fileName)
        let path = target?.path.split(separator: "/").last.map(String.init)
        return [disposition, path.map { $0.removingPercentEncoding ?? $0 }]
            .compactMap { $0.flatMap(safe) }.first ?? "index.html"
    }

    /// The name, or one with a number that does not exist yet.
    static func unused(_ name: String, exists: (String) -> Bool) -> String {
        if !exists(name) { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return (1...).lazy.map { "\(name[..<dot])-\($0)\(name[dot...])" }.first { !exists($0) } ?? name
    }

    private static func fileName(_ disposition: String) -> String? {
        for part in disposition.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { continue }
            switch pair[0].lowercased() {
            case "filename*": return pair[1].split(separator: "'").last.flatMap { String($0).removingPercentEncoding }
            case "filename": return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            default: continue
            }
        }
        return nil
    }

    /// What is left of a name that a stranger has chosen; `nil` if nothing is.
    private static func safe(_ name: String) -> String? {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last ?? ""
        let scalars = last.unicodeScalars.filter { !VisibleText.isHidden($0) }
        let visible = String(String.UnicodeScalarView(scalars)).drop { $0 == "." || $0 == " " }
        return visible.isEmpty ? nil : String(visible.prefix(200))
    }
}
