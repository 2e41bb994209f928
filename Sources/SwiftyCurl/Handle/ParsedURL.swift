// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The URL of an easy handle, taken apart (`CURLU`): of its text alone, libcurl parses and writes the whole with each request.
///
/// Only what differs from the request before is set. Only the handle's loop uses it.
final class ParsedURL {
    // Safety: freed with this object, which the easy handle that refers to it keeps until its own end.
    let pointer: OpaquePointer
    /// The parts that are set; no origin if that is not known.
    @exclusivity(unchecked) private var origin = ""
    @exclusivity(unchecked) private var path = ""
    @exclusivity(unchecked) private var query: String?

    /// Returns nil when memory is short.
    init?() {
        guard let pointer = curl_url() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_url_cleanup(pointer)
    }

    /// Whether this target is set.
    func leads(to target: TargetURI) -> Bool {
        path == target.path && query == target.query && origin == target.origin
    }

    /// Sets another target, of which this is the text.
    func set(_ target: TargetURI, text: String) -> CURLcode {
        let isNear = origin == target.origin && Self.isTakenAsItIs(target)
        origin = ""
        let code = isNear ? setParts(of: target) : set(CURLUPART_URL, text)
        guard code == CURLUE_OK else {
            return code == CURLUE_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_URL_MALFORMAT
        }
        (origin, path, query) = (target.origin, target.path, target.query)
        return CURLE_OK
    }

    private func setParts(of target: TargetURI) -> CURLUcode {
        if target.path != path {
            let code = set(CURLUPART_PATH, target.path.isEmpty ? "/" : target.path)
            guard code == CURLUE_OK else { return code }
        }
        return target.query == query ? CURLUE_OK : set(CURLUPART_QUERY, target.query)
    }

    private func set(_ part: CURLUPart, _ text: String?) -> CURLUcode {
        guard let text else { return curl_url_set(pointer, part, nil, 0) }
        return text.withCString { curl_url_set(pointer, part, $0, UInt32(CURLU_PATH_AS_IS)) }
    }

    /// In single parts libcurl writes escapes in lower case, and versions differ in what they make of an empty query.
    private static func isTakenAsItIs(_ target: TargetURI) -> Bool {
        let escape = UInt8(ascii: "%")
        guard let query = target.query else { return !target.path.utf8.contains(escape) }
        return !query.isEmpty && !query.utf8.contains(escape) && !target.path.utf8.contains(escape)
    }
}
