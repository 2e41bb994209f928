// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import WebServiceDSL

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

extension NetworkResponse {
    /// Makes an outcome of its parts, with the head of `URLSession`:
    /// ``/WebServiceDSL/NetworkResponse/init(head:data:request:metrics:)``.
    ///
    /// - Parameter parser: Parses the response; an error of it becomes that of the outcome.
    @_disfavoredOverload
    public convenience init(
        response: HTTPURLResponse?,
        data: Data? = nil,
        error: (any Error)? = nil,
        parser: (any ResponseParser)? = nil
    ) {
        self.init(response: response.map(ResponseHead.init), data: data, error: error, parser: parser)
    }

    /// The same as ``/WebServiceDSL/NetworkResponse/succeed(head:data:)``, with the head of `URLSession`.
    @_disfavoredOverload
    public func succeed(response: HTTPURLResponse?, data: Data?) {
        succeed(head: response.map(ResponseHead.init), data: data)
    }
}

extension ResponseHead {
    /// The head of a response that `URLSession` has loaded.
    fileprivate init(_ response: HTTPURLResponse) {
        self = ResponseHead(response, fieldCountLimit: 60_000) ?? ResponseHead(statusCode: response.statusCode)
    }
}
