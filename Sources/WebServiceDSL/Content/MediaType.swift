// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The media types of files, by the extension of their names.
package enum MediaType {
    static func forFile(named name: String) -> String {
        let fileExtension = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return byExtension[fileExtension] ?? "application/octet-stream"
    }

    /// The media type without its parameters, in lower case.
    package static func essence(of type: String) -> String {
        String(type.prefix { $0 != ";" }.trimmingSpacesAndTabs()).lowercased()
    }

    /// Whether a type is that of a range: `image/png` of `image/*` (RFC 9110 §12.5.1).
    package static func matches(_ type: String, _ range: String) -> Bool {
        if range == "*/*" { return true }
        return range.hasSuffix("/*") ? type.hasPrefix(range.dropLast()) : type == range
    }

    /// Whether a media type is that of JSON: `application/json` or one with the suffix `+json` (RFC 6839).
    package static func isJSON(_ type: String) -> Bool {
        let essence = essence(of: type)
        return essence == "application/json" || essence.hasSuffix("+json")
    }

    private static let byExtension = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "csv": "text/csv", "xml": "application/xml",
        "html": "text/html; charset=utf-8", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "svg": "image/svg+xml", "mp4": "video/mp4", "mp3": "audio/mpeg", "yaml": "application/yaml",
        "yml": "application/yaml",
    ]
}
