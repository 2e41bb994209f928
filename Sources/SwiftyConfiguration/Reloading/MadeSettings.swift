// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Configuration
import Swifty

#if canImport(SwiftyCurl)
import SwiftyCurl
#endif

/// The settings of one reading.
struct MadeSettings: Sendable {
    let configuration: Swifty.Configuration
    let transport: Choice
    /// The values that were read, by key.
    let values: [String: RawValue]

    /// The transport of an instance.
    enum Choice: Sendable, Equatable {
        /// That of all instances with the default settings.
        case shared
        #if canImport(SwiftyCurl)
        case own(CurlTransport.Configuration)
        #endif
        /// One that the program has made.
        case given(Carrier)

        static func == (one: Choice, other: Choice) -> Bool {
            switch (one, other) {
            case (.shared, .shared): true
            #if canImport(SwiftyCurl)
            case (.own(let one), .own(let other)): one == other
            #endif
            case (.given(let one), .given(let other)): one === other
            default: false
            }
        }

        func makeCarrier() -> Carrier? {
            switch self {
            case .shared: nil
            #if canImport(SwiftyCurl)
            case .own(let configuration): Carrier(CurlTransport(configuration: configuration))
            #endif
            case .given(let carrier): carrier
            }
        }
    }
}

extension ServiceSettings {
    /// The transport that the settings describe.
    var choice: MadeSettings.Choice {
        #if canImport(SwiftyCurl)
        transport == CurlTransport.Configuration() ? .shared : .own(transport)
        #else
        .shared
        #endif
    }
}

/// Reads settings, each time into those that are in code.
struct SettingsSource: Sendable {
    let read: @Sendable () throws(Swifty.SettingsError) -> MadeSettings

    /// Reads the settings of a `Swifty` and its transport.
    init(
        _ reader: ConfigReader,
        at scope: ConfigKey,
        unknownKeys: Swifty.UnknownKeys,
        into base: ServiceSettings
    ) {
        read = { () throws(Swifty.SettingsError) in
            var settings = base
            let reading = SettingsReading(ServiceSettings.entries, of: reader.snapshot(), at: scope, into: &settings)
            try reading.check(unknownKeys)
            return MadeSettings(
                configuration: settings.configuration,
                transport: settings.choice,
                values: reading.values
            )
        }
    }

    /// Reads the settings of a `Swifty` over a transport of the program.
    init(
        _ reader: ConfigReader,
        at scope: ConfigKey,
        unknownKeys: Swifty.UnknownKeys,
        into base: Swifty.Configuration,
        over transport: any Transport
    ) {
        let carrier = Carrier(transport)
        read = { () throws(Swifty.SettingsError) in
            var configuration = base
            let entries = Swifty.Configuration.entries
            let reading = SettingsReading(entries, of: reader.snapshot(), at: scope, into: &configuration)
            try reading.check(unknownKeys)
            return MadeSettings(configuration: configuration, transport: .given(carrier), values: reading.values)
        }
    }
}
#endif
