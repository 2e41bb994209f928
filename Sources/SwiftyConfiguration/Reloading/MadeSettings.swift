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
    /// What became of one reading.
    struct Outcome: Sendable {
        let settings: Result<MadeSettings, Swifty.SettingsError>
        /// Reports unknown keys to a closure of the program. Not to be called under a lock.
        let report: @Sendable () -> Void
    }

    let read: @Sendable () -> Outcome

    /// Reads the settings of a `Swifty` and its transport.
    init(
        _ reader: ConfigReader,
        at scope: ConfigKey,
        unknownKeys: Swifty.UnknownKeys,
        into base: ServiceSettings
    ) {
        read = {
            var settings = base
            let reading = SettingsReading(ServiceSettings.entries, of: reader.snapshot(), at: scope, into: &settings)
            return reading.outcome(unknownKeys) { values in
                MadeSettings(configuration: settings.configuration, transport: settings.choice, values: values)
            }
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
        read = {
            var configuration = base
            let entries = Swifty.Configuration.entries
            let reading = SettingsReading(entries, of: reader.snapshot(), at: scope, into: &configuration)
            return reading.outcome(unknownKeys) { values in
                MadeSettings(configuration: configuration, transport: .given(carrier), values: values)
            }
        }
    }
}

extension SettingsReading {
    fileprivate func outcome(
        _ unknownKeys: Swifty.UnknownKeys,
        _ make: ([String: RawValue]) -> MadeSettings
    ) -> SettingsSource.Outcome {
        let findings = unknownKeys.check(entries.map(\.key), at: scope)
        return SettingsSource.Outcome(
            settings: error(with: findings).map(Result.failure) ?? .success(make(values)),
            report: findings.report
        )
    }
}
#endif
