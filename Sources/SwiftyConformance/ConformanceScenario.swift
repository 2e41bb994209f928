// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTransport

/// One promise of a transport, and the check that it is kept.
public struct ConformanceScenario: Sendable, Identifiable, CustomStringConvertible {
    typealias Body = @Sendable (ConformanceRun) async throws -> Void

    /// The stable name: chapter and promise, as in `framing/content-length-short`.
    public let name: String
    /// The promise in a sentence.
    public let sentence: String
    /// The capabilities without which a transport cannot pass.
    public let needs: TransportCapabilities
    let body: Body

    /// The part of the name before the slash.
    public var chapter: String { String(name.prefix { $0 != "/" }) }
    /// The name.
    public var id: String { name }
    /// The name.
    public var description: String { name }

    init(
        _ name: String,
        _ sentence: String,
        needs: TransportCapabilities = .network,
        _ body: @escaping Body
    ) {
        self.name = name
        self.sentence = sentence
        self.needs = needs
        self.body = body
    }
}
