// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A value of any type, where a dictionary or an array has values of several.
struct AnyEncodable: Encodable, Sendable {
    let value: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws {
        // By a container, so that the strategies of the encoder apply to dates and data.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
