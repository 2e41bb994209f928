// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The URL of an easy handle in parts (`CURLU`): given the text only, libcurl would parse and write the whole URL for
/// each request.
///
/// Only the parts that differ from the previous request are set. Only the handle's loop uses it.
final class ParsedURL {
    // Safety: freed with this object, which the easy handle keeps until its own end.
    let pointer: OpaquePointer
    /// The current parts; the origin is empty if they are unknown.
    @exclusivity(unchecked) private var origin = ""
    @exclusivity(unchecked) private var path = ""
    @exclusivity(unchecked) private var query: String?

    /// Returns `nil` if allocation fails.
    init?() {
        guard let pointer = curl_url() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_url_cleanup(pointer)
    }

    /// Whether the URL is that of this target.
    func leads(to target: TargetURI) -> Bool {
        path == target.path && query == target.query && origin == target.origin
    }

    /// Sets another target, of which `text` is the text.
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

    /// Whether the parts can be set one by one. libcurl would write escapes in lower case, and its versions treat an
    /// empty query differently.
    private static func isTakenAsItIs(_ target: TargetURI) -> Bool {
        let escape = UInt8(ascii: "%")
        guard let query = target.query else { return !target.path.utf8.contains(escape) }
        return !query.isEmpty && !query.utf8.contains(escape) && !target.path.utf8.contains(escape)
    }
}
