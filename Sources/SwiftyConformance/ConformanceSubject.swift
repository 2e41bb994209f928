// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTransport

/// The transport under test; each scenario makes a new one.
public struct ConformanceSubject: Sendable {
    /// The name in reports.
    public let name: String
    /// What the transport claims.
    public let capabilities: TransportCapabilities
    let make: @Sendable (TransportSettings) -> any Transport

    /// Describes a transport.
    ///
    /// - Parameters:
    ///   - name: Its name in reports.
    ///   - make: Makes a transport with settings; the suite shuts it down.
    public init(_ name: String, make: @escaping @Sendable (TransportSettings) -> any Transport) {
        self.name = name
        self.make = make
        capabilities = make(TransportSettings()).capabilities
    }
}
