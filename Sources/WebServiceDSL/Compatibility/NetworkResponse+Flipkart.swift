// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

/// Parses the content of a response: ``NetworkResponse/decode(_:decoder:)``, or a response interceptor.
///
/// A parser that is also a `ResponseInterceptor` needs no other method.
public protocol ResponseParser: Sendable {
    /// Parses the content, and sets ``NetworkResponse/result``.
    ///
    /// - Throws: The error of the load.
    func parse(response: NetworkResponse) throws
}

extension NetworkResponse {
    /// Makes an outcome of its parts; ``init(head:data:request:metrics:)`` and ``init(error:request:)``.
    ///
    /// - Parameter parser: Parses the response; an error of it becomes that of the outcome.
    public convenience init(
        response: ResponseHead? = nil,
        data: Data? = nil,
        error: (any Error)? = nil,
        parser: (any ResponseParser)? = nil
    ) {
        self.init(head: response, data: data)
        if let error { fail(error: error) }
        if let parser { parse(with: parser) }
    }

    /// Parses the response; an error of the parser becomes that of the outcome.
    package func parse(with parser: some ResponseParser) {
        do {
            try parser.parse(response: self)
        } catch {
            fail(error: error)
        }
    }

    /// The same as ``head``.
    public var response: ResponseHead? { head }

    /// The value that was set, or else the parsed content: a dictionary, an array or a scalar; `nil` if it is absent or
    /// not JSON.
    ///
    /// A value that is set must not be changed afterwards.
    public var result: Any? {
        get { givenResult?.value ?? (try? json()) ?? nil }
        set { newValue.map { setPrepared(GivenResult(value: $0)) } }
    }

    /// The same as ``succeed(head:data:)``.
    public func succeed(response: ResponseHead?, data: Data?) {
        succeed(head: response, data: data)
    }
}
