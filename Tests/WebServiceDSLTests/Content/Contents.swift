// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

/// The source of the content of a resource, as each attempt gets it.
func source(of resource: some ModifiableResource) async throws -> any ContentSource {
    try #require(try await freeze(resource).content.source)
}

/// The whole content of a resource.
func content(of resource: some ModifiableResource) async throws -> String {
    let request = try await freeze(resource).collectingContent()
    return String(decoding: try #require(request.content.data), as: UTF8.self)
}

extension ContentSource {
    /// Reads the rest.
    func rest() async throws -> Data {
        var result = Data()
        while let part = try await next() { result += part }
        return result
    }
}

/// The error that a closure throws, which must be one of Swifty's.
func failure(_ body: () async throws -> Void) async -> SwiftyError? {
    await #expect(throws: SwiftyError.self) { try await body() }
}

/// Bytes that repeat only after a prime number of them.
func pattern(_ count: Int) -> Data {
    Data((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0 % 251) })
}
