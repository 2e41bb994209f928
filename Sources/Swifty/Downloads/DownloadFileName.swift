// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The name of a file that a server or a URL suggests, made safe: one name in a folder, and never a path.
package enum DownloadFileName {
    /// The name if there is no suggestion.
    static let fallback = "download"
    /// The largest number of bytes in a name.
    static let maximumLength = 200

    /// The name for a response: that of `Content-Disposition`, or that of the URL's last segment.
    package static func name(of head: ResponseHead?, target: TargetURI?) -> String {
        let disposition = head?.headers[fields: .contentDisposition].first.flatMap(ContentDisposition.fileName)
        if let name = disposition.flatMap(safe) { return name }
        let segment = target?.path.split(separator: "/").last.map { PercentEncoding.decode(String($0)) }
        return segment.flatMap(safe) ?? fallback
    }

    /// The name without folders, control characters and invisible marks of direction, dots at its beginning and spaces
    /// at its ends; `nil` if nothing remains.
    static func safe(_ suggestion: String) -> String? {
        let last = suggestion.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        var scalars = String.UnicodeScalarView(last.filter { !isInvisible($0) })[...]
        scalars = scalars.drop { $0 == "." || $0.properties.isWhitespace }
        scalars = prefix(of: scalars)
        while let end = scalars.last, end == "." || end.properties.isWhitespace { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }

    /// The longest beginning of at most ``maximumLength`` bytes.
    private static func prefix(of scalars: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var (count, end) = (0, scalars.startIndex)
        while end < scalars.endIndex {
            count += UTF8.width(scalars[end])
            if count > maximumLength { break }
            scalars.formIndex(after: &end)
        }
        return scalars[..<end]
    }

    /// Whether the character is a control character, a line separator, or a mark that changes the order of others.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}

extension DownloadFileName {
    /// The name with a number before its extension.
    package static func numbered(_ name: String, _ number: Int) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }
}
