// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a transport makes its sessions with: a configuration that keeps the transport's promises, and header fields.
struct SessionTemplate: Sendable {
    /// Each session copies it; nothing changes it.
    let configuration: URLSessionConfiguration
    /// The fields of requests that have none of the same name.
    let fields: [HTTPField]
    /// The reason why no request can be sent.
    private let flaw: SwiftyError?

    /// The template without a user's configuration.
    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 256
        self.init(configuration)
    }

    /// The template of a configuration, which is copied.
    init(_ original: URLSessionConfiguration) {
        let configuration = (original.copy() as? URLSessionConfiguration) ?? .ephemeral
        do throws(SwiftyError) {
            try Self.checkUse(of: configuration)
            fields = try Self.fields(of: configuration.httpAdditionalHeaders ?? [:])
            flaw = nil
        } catch {
            (fields, flaw) = ([], error)
        }
        configuration.keepPromises()
        self.configuration = configuration
    }

    /// A request with the fields that it does not have itself.
    ///
    /// - Throws: `invalidSettings` or `invalidHeader` if the configuration cannot be used.
    func complete(_ request: NetworkRequest) throws(SwiftyError) -> NetworkRequest {
        if let flaw { throw flaw }
        var request = request
        for field in fields where request.headers[field.name] == nil { request.headers.append(field) }
        return request
    }

    private static func checkUse(of configuration: URLSessionConfiguration) throws(SwiftyError) {
        if configuration.identifier != nil { throw unusable("a background session cannot load requests of Swifty") }
        #if canImport(FoundationNetworking)
        let proxies = configuration.connectionProxyDictionary ?? [:]
        if !proxies.isEmpty { throw unusable("FoundationNetworking ignores connectionProxyDictionary") }
        #endif
        if configuration.httpMaximumConnectionsPerHost < 1 {
            throw unusable("httpMaximumConnectionsPerHost is less than 1")
        }
    }

    private static func unusable(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidSettings, stage: .building, reason: "in the URLSessionConfiguration: \(reason)")
    }

    // MARK: Fields

    private static func fields(of headers: [AnyHashable: Any]) throws(SwiftyError) -> [HTTPField] {
        var fields: [HTTPField] = []
        for (name, value) in headers { fields.append(try field(name.base, value)) }
        return fields.sorted { $0.name.rawName < $1.name.rawName }
    }

    private static func field(_ name: Any, _ value: Any) throws(SwiftyError) -> HTTPField {
        guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), !reserved.contains(name) else {
            throw invalidField("\(name) is no field that every request may have")
        }
        guard let value = value as? String, HTTPField.isValidValue(value) else {
            throw invalidField("the value of \(name.rawName) cannot be sent")
        }
        return HTTPField(name: name, value: value)
    }

    /// What frames a message, or would give every server, also after a redirect, what is meant for one.
    private static let reserved: Set<HTTPField.Name> = [
        .authorization, .connection, .contentLength, .cookie, .host, .proxyAuthorization, .transferEncoding,
    ]

    private static func invalidField(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidHeader, stage: .building, reason: "in httpAdditionalHeaders: \(Redaction.oneLine(reason))")
    }
}

extension URLSessionConfiguration {
    /// Replaces what the contract of a transport demands; see ``URLSessionTransport/init(configuration:settings:)``.
    fileprivate func keepPromises() {
        httpAdditionalHeaders = nil
        httpCookieStorage = nil
        httpCookieAcceptPolicy = .never
        httpShouldSetCookies = false
        urlCache = nil
        urlCredentialStorage = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        timeoutIntervalForRequest = 7 * 86_400
        timeoutIntervalForResource = 7 * 86_400
        #if !canImport(FoundationNetworking)
        if connectionProxyDictionary == nil { connectionProxyDictionary = [:] }
        if tlsMinimumSupportedProtocolVersion.rawValue < tls_protocol_version_t.TLSv12.rawValue {
            tlsMinimumSupportedProtocolVersion = .TLSv12
        }
        #endif
    }
}
