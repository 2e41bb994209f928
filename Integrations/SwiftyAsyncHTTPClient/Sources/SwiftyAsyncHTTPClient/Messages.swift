// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import SwiftyTransport

extension HTTPClientRequest {
    /// Content in memory that fits into one part is sent at once, and needs no task of its own.
    init(_ request: NetworkRequest, _ parts: ContentParts) {
        self.init(url: request.target.string)
        method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        switch request.content {
        case .none: break
        case .data(let data):
            let isPart = data.count <= RequestContent.partSize
            body = isPart ? .bytes(ByteBuffer(bytes: data)) : .stream(parts, length: .known(Int64(data.count)))
        case .source(let source):
            body = .stream(parts, length: source.length.map { .known(Int64($0)) } ?? .unknown)
        }
    }
}

extension ResponseHead {
    init(_ response: HTTPClientResponse) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            statusCode: Int(response.status.code),
            reasonPhrase: response.status.reasonPhrase,
            httpVersion: HTTPVersion(response.version),
            headers: fields
        )
    }
}

extension ResponseHead.HTTPVersion {
    fileprivate init(_ version: NIOHTTP1.HTTPVersion) {
        switch (version.major, version.minor) {
        case (1, 0): self = .http1_0
        case (2, _): self = .http2
        case (3, _): self = .http3
        default: self = .http1_1
        }
    }
}
