// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyConformance
import SwiftyCurl
import SwiftyTestServers
import SwiftyURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

extension ConformanceSubject {
    static let curl = ConformanceSubject("CurlTransport") { settings in
        var configuration = CurlTransport.Configuration()
        configuration.settings = settings
        return CurlTransport(configuration: configuration)
    }

    static let urlSession = ConformanceSubject("URLSessionTransport") { URLSessionTransport(settings: $0) }
    static let configuredURLSession = ConformanceSubject("URLSessionTransport") {
        URLSessionTransport(configuration: .default, settings: $0)
    }
}

/// What FoundationNetworking does instead of what a scenario demands. One that passes now fails the tests.
enum KnownDeviations {
    static let urlSession = [
        "contract/content-coding": "decodes, and refuses what it cannot decode",
        "framing/bare-line-feeds": "refuses the response",
        "violations/bare-return": "accepts it",
        "violations/length-twice": "uses the last one",
        "violations/length-list": "uses the first one",
        "violations/length-text": "ignores the text",
        "violations/length-hex": "reads it as 0",
        "violations/length-plus": "accepts it",
        "violations/length-overflow": "reads up to the end of the connection",
        "violations/length-folded": "uses the first line",
        "violations/length-and-chunked": "reads the chunks",
        "violations/chunked-twice": "reads the chunks",
        "violations/chunked-not-last": "reads the chunks",
        "violations/chunk-line-feed": "accepts it",
        "requests/methods": "refuses `get`, which it would send as `GET`",
        "tls/old-version": "leaves the refusal to OpenSSL, which sees the certificate first",
    ]

    /// Not run: FoundationNetworking of Swift 6.3 ends the process.
    static let fatal = [
        "framing/chunked-trailers": "**ends the process**",
        "truncation/in-head": "**ends the process**",
        "reuse/chunked": "**ends the process** (trailers)",
    ]
}
