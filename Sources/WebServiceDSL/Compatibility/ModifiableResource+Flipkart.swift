// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Dispatch

// Names of Flipkart's Swifty, so that its call sites compile unchanged; see Docs/Migration.md.

extension ModifiableResource {
    /// As ``deliver(on:)``.
    @discardableResult
    public func deliverOn(thread queue: DispatchQueue) -> Self {
        deliver(on: queue)
    }

    /// As ``mock(file:status:headers:in:callerFile:)``, with name and extension apart.
    @discardableResult
    public func mock(withFile name: String, ofType fileType: String = "json", callerFile: String = #filePath) -> Self {
        mock(file: "\(name).\(fileType)", callerFile: callerFile)
    }

    /// As ``basic(_:_:)``.
    @discardableResult
    public func authorizationHeader(username: String, password: String) -> Self {
        basic(username, password)
    }
}
