// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A service with its encoders and its decoder, for requests without their own.
struct ServiceCoding: Sendable {
    /// The service; `nil` for requests outside of any.
    let service: (any NamedService.Type)?
    let query: QueryEncoding
    let encoder: JSONEncoder
    let decoder: JSONDecoder
    /// The secrets of the service; `nil` if it defines none.
    let secrets: RequestSecrets?

    /// The default of all services. These encoders and decoders are never changed, so that they can be shared.
    static let standard = ServiceCoding(
        service: nil,
        query: .standard,
        encoder: JSONEncoder(),
        decoder: JSONDecoder(),
        secrets: nil
    )
}

extension RequestDraft {
    /// The decoder of the service.
    package var decoder: JSONDecoder { coding.decoder }
}

// MARK: - The style of a service's names

extension ServiceCoding {
    private static let snakeCaseEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()

    private static let snakeCaseDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    static func queryEncoding(keys: QueryEncoding.KeyStyle) -> QueryEncoding {
        if case .unchanged = keys { .standard } else { QueryEncoding(keys: keys) }
    }

    static func encoder(keys: QueryEncoding.KeyStyle) -> JSONEncoder {
        switch keys {
        case .unchanged: return standard.encoder
        case .snakeCase: return snakeCaseEncoder
        case .custom(let text):
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .custom { path in PropertyName(path.last.map { text($0.stringValue) } ?? "") }
            return encoder
        }
    }

    /// A custom style has no inverse: names that arrive stay as they are.
    static func decoder(keys: QueryEncoding.KeyStyle) -> JSONDecoder {
        if case .snakeCase = keys { snakeCaseDecoder } else { standard.decoder }
    }
}

/// The name of a property in a custom style.
private struct PropertyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
