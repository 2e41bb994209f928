// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// An entry in a file of another program: browsers also store requests that were blocked or aborted, WebSockets and
/// `data:` URLs, and one such entry must not make the others useless.
struct ForeignEntry: Decodable {
    /// The entry; `nil` if it is not an answer to a request over HTTP.
    let entry: HAREntry?
    /// Why it was left out; `nil` if it was not.
    let skipped: String?

    init(from decoder: any Decoder) throws {
        do {
            let entry = try HAREntry(from: decoder)
            let reason = entry.reasonToSkip
            (self.entry, skipped) = (reason == nil ? entry : nil, reason)
        } catch {
            (entry, skipped) = (nil, CassetteFault.reason(error) ?? "an entry has another form")
        }
    }
}

extension HAREntry {
    /// Why the entry is not an answer to a request over HTTP; `nil` if it is one.
    fileprivate var reasonToSkip: String? {
        let scheme = URIReference(request.url).scheme?.lowercased() ?? ""
        if TargetURI.Scheme(rawValue: scheme) == nil {
            return "a \(request.method) of \(scheme.prefix(40)): is not HTTP"
        }
        if _failure != nil || (200...999).contains(response.status) { return nil }
        return "\(request.method) \(Redaction.redact(reference: request.url)) has no response"
    }
}

extension Cassette {
    /// What was left out of the file, in one line; `nil` if nothing was.
    package var skippingNote: String? { Self.note(of: skipped) }

    static func note(of skipped: [String]) -> String? {
        if skipped.isEmpty { return nil }
        let count = skipped.count == 1 ? "1 entry was" : "\(skipped.count) entries were"
        let more = skipped.count > 3 ? ", and others" : ""
        return Redaction.oneLine("\(count) skipped: \(skipped.prefix(3).joined(separator: ", "))\(more)")
    }
}
