// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Writes content to files.
enum SavedContent {
    /// Writes to the file that the user named, or to a new one in the current folder.
    ///
    /// - Returns: The path of the file.
    static func write(_ data: Data, to path: String?, _ outcome: NetworkResponse) throws(OutputError) -> String {
        if let path, path != "-" {
            try replace(path, data)
            return path
        }
        if path == "-" {
            try Console.write(data)
            return "standard output"
        }
        let name = DownloadName.suggested(by: outcome.head, target: outcome.request?.target)
        let unused = DownloadName.unused(name) { FileManager.default.fileExists(atPath: $0) }
        // The file must be new: one created meanwhile must be neither overwritten nor followed.
        try create(unused, data, flags: O_EXCL | O_NOFOLLOW)
        return unused
    }

    /// Writes to the file at a path, replacing its content.
    static func replace(_ path: String, _ data: Data) throws(OutputError) {
        try create(path, data, flags: O_TRUNC)
    }

    private static func create(_ path: String, _ data: Data, flags: Int32) throws(OutputError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
        if descriptor < 0 { throw OutputError(path: path, code: errno) }
        let failed = Descriptor.write(data, to: descriptor)
        // Some file systems report only here that the disk is full.
        let closed = close(descriptor) == 0 ? nil : errno
        if let code = failed ?? closed { throw OutputError(path: path, code: code) }
    }
}

/// The name of a file for content of a server: never a path, never hidden, never the name of an existing file.
enum DownloadName {
    /// The name that the response suggests (RFC 6266), or the last part of the URL.
    static func suggested(by head: ResponseHead?, target: TargetURI?) -> String {
        let disposition = head?.headers[.contentDisposition].flatMap(fileName)
        let path = target?.path.split(separator: "/").last.map(String.init)
        return [disposition, path.map { $0.removingPercentEncoding ?? $0 }]
            .compactMap { $0.flatMap(safe) }.first ?? "index.html"
    }

    /// The name, with a number added if a file of that name exists.
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

    /// The safe part of a name that a server has chosen; `nil` if none remains.
    private static func safe(_ name: String) -> String? {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last ?? ""
        let scalars = last.unicodeScalars.filter { !VisibleText.isHidden($0) }
        let visible = String(String.UnicodeScalarView(scalars)).drop { $0 == "." || $0 == " " }
        return visible.isEmpty ? nil : String(visible.prefix(200))
    }
}
