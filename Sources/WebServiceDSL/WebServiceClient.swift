// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A web API as a value: one for each account, tenant or test, with one method for each of its requests.
///
///     struct Account: WebServiceClient {
///         let serverURL = "https://api.example.com"
///         let networkInterface: any NetworkInterface
///         let token: String
///
///         func configure(_ resource: NetworkResource) { resource.bearer(token) }
///
///         func repositories() -> TypedResource<[Repository]> {
///             server.get("user/repos").decode([Repository].self)
///         }
///     }
///
/// It is for packages whose user brings the key, for several accounts in one process, and for dependency injection: a
/// ``WebService`` with instances in place of the type. Everything that concerns requests is the same: modifiers,
/// names, mock files (`Mocks/Account/repositories.json`), and `withMocks(for: Account.self)`, which is for the requests
/// of all its values.
public protocol WebServiceClient: NamedService, Sendable {
    /// The absolute `http` or `https` URL that every path is joined to; it may have a path and a query.
    ///
    /// An error in it is thrown when a request is loaded, with the code ``SwiftyError/Code/invalidBaseURL``.
    var serverURL: String { get }

    /// The interface that loads the requests. Each resource retains it.
    ///
    /// A `Swifty` has its own limits and hooks, so store one, or share one between values; do not make one here.
    var networkInterface: any NetworkInterface { get }

    /// Sets the defaults of the requests: header fields, time limits, retries.
    ///
    /// Called for each request that ``server`` and ``server(_:)`` start, before its own modifiers.
    func configure(_ resource: NetworkResource)

    /// The style of the names of properties: in queries, forms and JSON that are sent, and in JSON that arrives;
    /// ``QueryEncoding/KeyStyle/unchanged`` by default.
    ///
    /// It is for the default values of ``queryEncoding``, ``encoder`` and ``decoder``: one that is set has its own.
    /// With a custom style, which has no inverse, JSON that arrives has unchanged names.
    var keyStyle: QueryEncoding.KeyStyle { get }

    /// The encoding of query parameters and form fields; ``QueryEncoding/standard`` in the ``keyStyle`` by default.
    var queryEncoding: QueryEncoding { get }

    /// The format of values that are sent and loaded: `.json { $0.dates = .iso8601 }`, `.propertyList`, or one of
    /// yours; JSON with the ``encoder`` and the ``decoder`` by default.
    ///
    /// A JSON format replaces ``encoder`` and ``decoder`` wherever something is JSON. It is read for each
    /// request: store it in a `let`.
    var format: any ContentFormat { get }

    /// The value in the content of failed responses; ``FailureContent/undecoded`` by default.
    var failure: FailureContent { get }

    /// The encoder of JSON content; a plain `JSONEncoder` in the ``keyStyle`` by default.
    ///
    /// It is read for each request: store it in a `let`, and do not change it after the first request.
    var encoder: JSONEncoder { get }

    /// The decoder of responses that are loaded as values; a plain `JSONDecoder` in the ``keyStyle`` by default.
    ///
    /// It is read for each request: store it in a `let`, and do not change it after the first request.
    var decoder: JSONDecoder { get }

    /// The names of this API's secrets, in addition to those that Swifty knows; ``SecretNames/standard`` by default.
    ///
    /// Their values are hidden in everything that is printed or recorded of its requests. It is read for each request:
    /// store it in a `let`.
    var secretNames: SecretNames { get }
}

extension WebServiceClient {
    /// The default, which sets nothing.
    public func configure(_ resource: NetworkResource) {}

    /// The default: names as Swift writes them.
    public var keyStyle: QueryEncoding.KeyStyle { .unchanged }

    /// The default: ``QueryEncoding/standard`` in the ``keyStyle``.
    public var queryEncoding: QueryEncoding { ServiceCoding.queryEncoding(keys: keyStyle) }

    /// The default: JSON with the ``encoder`` and the ``decoder``.
    public var format: any ContentFormat { JSONFormat.implied(encoder, decoder) }

    /// The default: the content stays as it is.
    public var failure: FailureContent { .undecoded }

    /// The default: a plain encoder in the ``keyStyle``, shared by all services.
    public var encoder: JSONEncoder { ServiceCoding.encoder(keys: keyStyle) }

    /// The default: a plain decoder in the ``keyStyle``, shared by all services.
    public var decoder: JSONDecoder { ServiceCoding.decoder(keys: keyStyle) }

    /// The default: the names that Swifty knows.
    public var secretNames: SecretNames { .standard }

    /// The start of every request of this API: `server.get("ip")`.
    public var server: BaseResource {
        server(serverURL)
    }

    /// The start of requests to another base URL, with this value's network interface, coders and defaults.
    public func server(_ baseURL: String) -> BaseResource {
        BaseResource(baseURL, of: self)
    }
}
