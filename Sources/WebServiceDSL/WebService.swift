// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A web API as a type: its server, its network interface, and one static function for each of its requests.
///
///     enum GitHub: WebService {
///         static let serverURL = "https://api.github.com"
///         static let networkInterface: any NetworkInterface = Swifty { $0.retry = .standard }
///
///         static func repositories(of user: String) -> TypedResource<[Repository]> {
///             server.get("users/\(user)/repos").query("sort", "pushed").decode([Repository].self)
///         }
///     }
///
///     let repositories = try await GitHub.repositories(of: "apple").load()
///
/// What all requests of the API have in common is set here, or in the configuration of the interface; what one of them
/// needs, in its function. Tests mock the type, with the module `SwiftyTesting`: `withMocks(for: GitHub.self)`, and
/// files in `Mocks/GitHub`.
///
/// Where each account or tenant has its own server, token or interface, ``WebServiceClient`` is the same as a value.
/// The requirements are get-only, so that a `let`, a `var` and a computed property all satisfy them.
public protocol WebService: NamedService {
    /// The absolute `http` or `https` URL that every path is joined to; it may have a path and a query.
    ///
    /// An error in it is thrown when a request is loaded, with the code ``SwiftyError/Code/invalidBaseURL``.
    static var serverURL: String { get }

    /// The interface that loads the requests. Each resource retains it.
    ///
    /// A `Swifty` has its own limits and hooks, so this is a `let`, or a computed property that returns a stored one.
    static var networkInterface: any NetworkInterface { get }

    /// Sets the defaults of this API's requests: header fields, time limits, retries.
    ///
    /// Called for each request that ``server`` and ``server(_:)`` start, before its own modifiers.
    static func configure(_ resource: NetworkResource)

    /// The style of the names of properties: in queries, forms and JSON that are sent, and in JSON that arrives;
    /// ``QueryEncoding/KeyStyle/unchanged`` by default.
    ///
    /// It is for the default values of ``queryEncoding``, ``encoder`` and ``decoder``: one that is set has its own.
    /// With a custom style, which has no inverse, JSON that arrives has unchanged names.
    static var keyStyle: QueryEncoding.KeyStyle { get }

    /// The encoding of query parameters and form fields; ``QueryEncoding/standard`` in the ``keyStyle`` by default.
    static var queryEncoding: QueryEncoding { get }

    /// The format of values that are sent and loaded: `.json { $0.dates = .iso8601 }`, `.propertyList`, or one of
    /// yours; JSON with the ``encoder`` and the ``decoder`` by default.
    ///
    /// A JSON format replaces ``encoder`` and ``decoder`` wherever something is JSON. It is read for each
    /// request: store it in a `let`.
    static var format: any ContentFormat { get }

    /// The value in the content of failed responses; ``FailureContent/undecoded`` by default.
    static var failure: FailureContent { get }

    /// The encoder of JSON content; a plain `JSONEncoder` in the ``keyStyle`` by default.
    ///
    /// It is read for each request: store it in a `let`, and do not change it after the first request.
    static var encoder: JSONEncoder { get }

    /// The decoder of responses that are loaded as values; a plain `JSONDecoder` in the ``keyStyle`` by default.
    ///
    /// It is read for each request: store it in a `let`, and do not change it after the first request.
    static var decoder: JSONDecoder { get }

    /// The names of this API's secrets, in addition to those that Swifty knows; ``SecretNames/standard`` by default.
    ///
    /// Their values are hidden in everything that is printed or recorded of its requests. It is read for each request:
    /// store it in a `let`.
    static var secretNames: SecretNames { get }
}

extension WebService {
    /// The default, which sets nothing.
    public static func configure(_ resource: NetworkResource) {}

    /// The default: names as Swift writes them.
    public static var keyStyle: QueryEncoding.KeyStyle { .unchanged }

    /// The default: ``QueryEncoding/standard`` in the ``keyStyle``.
    public static var queryEncoding: QueryEncoding { ServiceCoding.queryEncoding(keys: keyStyle) }

    /// The default: JSON with the ``encoder`` and the ``decoder``.
    public static var format: any ContentFormat { JSONFormat.implied(encoder, decoder) }

    /// The default: the content stays as it is.
    public static var failure: FailureContent { .undecoded }

    /// The default: a plain encoder in the ``keyStyle``, shared by all services.
    public static var encoder: JSONEncoder { ServiceCoding.encoder(keys: keyStyle) }

    /// The default: a plain decoder in the ``keyStyle``, shared by all services.
    public static var decoder: JSONDecoder { ServiceCoding.decoder(keys: keyStyle) }

    /// The default: the names that Swifty knows.
    public static var secretNames: SecretNames { .standard }

    /// The start of every request of this API: `server.get("ip")`.
    public static var server: BaseResource {
        server(serverURL)
    }

    /// The start of requests to another base URL, with this API's network interface, coders and defaults.
    public static func server(_ baseURL: String) -> BaseResource {
        BaseResource(baseURL, of: self)
    }
}
