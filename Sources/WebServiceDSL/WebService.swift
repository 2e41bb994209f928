// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A web API as a type: its server, how it is reached, and one static function for each of its requests.
///
///     final class Bin: WebService {
///         static let serverURL = "https://httpbin.org"
///         static let networkInterface: any NetworkInterface = Swifty()
///
///         static func ip() -> NetworkResource {
///             server.get("ip")
///         }
///     }
///
/// The requirements are get-only, so that a `let`, a `var` and a computed property all satisfy them.
public protocol WebService: SendableMetatype {
    /// The absolute `http` or `https` URL that every path is joined to; may have a path and a query of its own.
    ///
    /// What is wrong with it is thrown when a request is loaded, with code ``SwiftyError/Code/invalidBaseURL``.
    static var serverURL: String { get }

    /// What loads the requests. Resources hold it strongly, so it may be computed.
    static var networkInterface: any NetworkInterface { get }

    /// Gives every request of this API what it should have unless it says otherwise: header fields, time limits, retries.
    ///
    /// Called for each request that ``server`` and ``server(_:)`` start, before its own modifiers.
    static func configure(_ resource: NetworkResource)

    /// The form of query parameters and form fields; ``QueryEncoding/standard`` by default.
    static var queryEncoding: QueryEncoding { get }

    /// The encoder of JSON bodies; a plain `JSONEncoder` by default. Asked for with each request: keep it in a `let`, and do not
    /// change it once a request was made.
    static var encoder: JSONEncoder { get }

    /// The decoder of responses that are loaded as values; a plain `JSONDecoder` by default. Asked for with each request: keep
    /// it in a `let`, and do not change it once a request was made.
    static var decoder: JSONDecoder { get }
}

extension WebService {
    /// The default: nothing.
    public static func configure(_ resource: NetworkResource) {}

    /// The default: ``QueryEncoding/standard``.
    public static var queryEncoding: QueryEncoding { .standard }

    /// The default: a plain encoder, the same each time.
    public static var encoder: JSONEncoder { ServiceCoding.standard.encoder }

    /// The default: a plain decoder, the same each time.
    public static var decoder: JSONDecoder { ServiceCoding.standard.decoder }

    /// Where every request of this API starts: `server.get("ip")`.
    public static var server: BaseResource {
        server(serverURL)
    }

    /// A start for requests to another base URL, loaded by the same network interface.
    public static func server(_ baseURL: String) -> BaseResource {
        BaseResource(
            baseURL,
            networkInterface: networkInterface,
            queryEncoding: queryEncoding,
            encoder: encoder,
            decoder: decoder,
            configure: configure
        )
    }
}
