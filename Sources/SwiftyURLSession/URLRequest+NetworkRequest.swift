// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// A request whose content is in memory.
    ///
    /// - Throws: `invalidURL` if `URL` would send a different target than the given one.
    init(_ request: NetworkRequest) throws(SwiftyError) {
        guard let url = URL(string: request.target.string), url.absoluteString == request.target.string else {
            throw SwiftyError(.invalidURL, stage: .building, reason: "URL has no exact form of the target")
        }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 7 * 86_400)
        httpMethod = request.method.rawValue
        guard httpMethod == request.method.rawValue else {
            throw SwiftyError(.invalidMethod, stage: .building, reason: "URLSession changes the case of the method")
        }
        httpShouldHandleCookies = false
        httpBody = request.content.data
        for field in request.headers where field.name != .contentLength {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
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
