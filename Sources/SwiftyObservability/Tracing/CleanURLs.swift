// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import SwiftyTransport

/// The URLs of recent requests that have no secrets: to find that out is the largest part of the cost of a span.
enum CleanURLs {
    private static let cache = SlotCache<String, Bool>(count: 512)

    /// The URL of a request, without secrets. A URL with secrets is not kept.
    static func text(of request: NetworkRequest) -> String {
        let url = request.target.string
        if request.secrets != nil { return request.redactor.uri(request.target) }
        if cache[url] == true { return url }
        let text = request.redactor.uri(request.target)
        if text == url { cache[url] = true }
        return text
    }
}
#endif
