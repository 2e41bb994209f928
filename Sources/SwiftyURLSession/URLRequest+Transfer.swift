// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// A request for one transfer, whose content is in memory.
    ///
    /// - Throws: `invalidURL` or `invalidMethod` if `URLSession` would send another target or method.
    init(forTransfer request: NetworkRequest) throws(SwiftyError) {
        try self.init(exactly: request)
        for field in request.headers where field.name != .contentLength {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        cachePolicy = .reloadIgnoringLocalCacheData
        // The transfer itself keeps the limits.
        timeoutInterval = 7 * 86_400
        httpShouldHandleCookies = false
        // With any other value, `URLSession` decodes the content, which then no longer matches its header fields.
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
}

extension ResponseHead {
    /// The head of a response, as far as `URLSession` reports it; `nil` if it has more fields than allowed.
    init?(_ response: HTTPURLResponse, fieldCountLimit: Int) {
        let fields = response.allHeaderFields
        guard fields.count <= fieldCountLimit else { return nil }
        var headers = HTTPFields()
        for (name, value) in fields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            headers.append(HTTPField(name: name, value: value))
        }
        self.init(statusCode: response.statusCode, headers: headers)
    }
}
