// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

public import struct Foundation.Data

extension NetworkResponse {
    /// As ``head``.
    public var response: ResponseHead? { head }

    /// The parsed content: a dictionary, an array or a scalar; `nil` if there is none or it is not JSON.
    public var result: Any? { (try? json()) ?? nil }

    /// As ``succeed(head:data:)``.
    public func succeed(response: ResponseHead?, data: Data?) {
        succeed(head: response, data: data)
    }
}
