// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

#if canImport(SwiftyCurl)
import SwiftyCurl
#endif

/// All settings of a `Swifty` and its transport.
struct ServiceSettings: Sendable {
    var configuration = Swifty.Configuration()
    #if canImport(SwiftyCurl)
    var transport = CurlTransport.Configuration()
    #else
    var transport = TransportSettings()
    #endif
}

extension ServiceSettings {
    /// The defaults, with other settings of the transport.
    init(transport: TransportSettings) {
        #if canImport(SwiftyCurl)
        self.transport.settings = transport
        #else
        self.transport = transport
        #endif
    }

    static let entries: [SettingEntry<Self>] =
        Swifty.Configuration.entries.below("", property: "configuration", at: \.configuration) + transportEntries

    #if canImport(SwiftyCurl)
    private static let transportEntries: [SettingEntry<Self>] =
        CurlTransport.Configuration.entries.below("", property: "transport", at: \.transport)
    #else
    private static let transportEntries: [SettingEntry<Self>] =
        TransportSettings.entries.below("", property: "transport", at: \.transport)
    #endif
}

#if canImport(SwiftyCurl)
extension CurlTransport.Configuration {
    static let entries: [SettingEntry<Self>] =
        TransportSettings.entries.below("", property: "settings", at: \.settings) + [
            SettingEntry(
                "transport.loops",
                .count(from: 1, to: 1024),
                sets: "loops",
                means: "The number of loops, each with one thread."
            ) {
                "\($0.loops)"
            } set: {
                $0.loops = $1
            },
            SettingEntry(
                "transport.maximumIdleConnections",
                .count(),
                sets: "maximumIdleConnections",
                means: "The number of idle connections that each loop keeps."
            ) {
                "\($0.maximumIdleConnections)"
            } set: {
                $0.maximumIdleConnections = $1
            },
            SettingEntry(
                "transport.maximumConcurrentStreams",
                .count(from: 1),
                sets: "maximumConcurrentStreams",
                means: "The maximum number of requests that share one HTTP/2 connection."
            ) {
                "\($0.maximumConcurrentStreams)"
            } set: {
                $0.maximumConcurrentStreams = $1
            },
            SettingEntry(
                "transport.userAgent",
                SettingKind.text.orNone,
                sets: "userAgent",
                means: "The `User-Agent` of requests that set none."
            ) { _ in
                "Swifty and its version"
            } set: {
                $0.userAgent = $1
            },
        ]
}
#endif
#endif
