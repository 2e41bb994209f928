// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A service with its formats, for requests without their own.
struct ServiceCoding: Sendable {
    /// The service; `nil` for requests outside of any.
    let service: (any NamedService.Type)?
    let query: QueryEncoding
    /// The format of values that are sent and loaded.
    private(set) var format: any ContentFormat
    /// The format of what is JSON in any case, such as the lines of `jsonLines`: ``format``, if it is JSON.
    private(set) var json: JSONFormat
    /// The value in the content of a failed response.
    var failure: FailureContent
    /// The secrets of the service; `nil` if it defines none.
    let secrets: RequestSecrets?

    init(
        service: (any NamedService.Type)?,
        query: QueryEncoding,
        format: any ContentFormat,
        json: @autoclosure () -> JSONFormat,
        failure: FailureContent,
        secrets: RequestSecrets?
    ) {
        self.service = service
        self.query = query
        self.format = format
        self.json = format as? JSONFormat ?? json()
        self.failure = failure
        self.secrets = secrets
    }

    /// The default of all services. Its encoder and decoder are never changed, so that they can be shared.
    static let standard = {
        let json = JSONFormat.implied(JSONEncoder(), JSONDecoder())
        return ServiceCoding(
            service: nil,
            query: .standard,
            format: json,
            json: json,
            failure: .undecoded,
            secrets: nil
        )
    }()

    mutating func setFormat(_ format: any ContentFormat) {
        self.format = format
        if let json = format as? JSONFormat { self.json = json }
    }
}

extension RequestDraft {
    /// The decoder of the service.
    package var decoder: JSONDecoder { coding.json.decoder }

    mutating func setFormat(_ format: any ContentFormat) {
        coding.setFormat(format)
    }

    mutating func setFailure(_ failure: FailureContent) {
        coding.failure = failure
    }
}

// MARK: - The style of a service's names

extension ServiceCoding {
    private static let snakeCase = JSONFormat.json { $0.keys = .snakeCase }

    static func queryEncoding(keys: QueryEncoding.KeyStyle) -> QueryEncoding {
        if case .unchanged = keys { .standard } else { QueryEncoding(keys: keys) }
    }

    static func encoder(keys: QueryEncoding.KeyStyle) -> JSONEncoder {
        switch keys {
        case .unchanged: standard.json.encoder
        case .snakeCase: snakeCase.encoder
        case .custom: JSONFormat.json { $0.keys = keys }.encoder
        }
    }

    /// A custom style has no inverse: names that arrive stay as they are.
    static func decoder(keys: QueryEncoding.KeyStyle) -> JSONDecoder {
        if case .snakeCase = keys { snakeCase.decoder } else { standard.json.decoder }
    }
}
