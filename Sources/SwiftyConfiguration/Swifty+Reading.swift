// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

public import Configuration
public import Swifty

extension Swifty {
    /// Makes a network interface whose settings are read by swift-configuration.
    ///
    ///     let config = ConfigReader(provider: EnvironmentVariablesProvider())
    ///     let swifty = try Swifty(reading: config, unknownKeys: .refused(in: .environment)) { $0.use(SignIn()) }
    ///
    /// Docs/ServiceConfiguration.md lists all keys. What no provider has is as in code: the default, or what
    /// `transport` and `configure` say. With the default settings of the transport, the instance shares one, as others
    /// do.
    ///
    /// - Parameters:
    ///   - reader: The reader, without a scope of the settings.
    ///   - scope: The beginning of the keys; `swifty.timeouts.total` by default, `SWIFTY_TIMEOUTS_TOTAL` in the
    ///     environment.
    ///   - unknownKeys: What follows from keys that name no setting; nothing by default.
    ///   - transport: The settings of the transport before others are read.
    ///   - configure: Changes the configuration before settings are read: hooks, and what is in code only.
    /// - Throws: ``SettingsError`` with all that is wrong; the error that the closure throws.
    public convenience init(
        reading reader: ConfigReader,
        at scope: ConfigKey = "swifty",
        unknownKeys: UnknownKeys = .ignored,
        transport: TransportSettings = TransportSettings(),
        configure: (inout Configuration) throws -> Void = { _ in }
    ) throws {
        var settings = ServiceSettings(transport: transport)
        try configure(&settings.configuration)
        let reading = SettingsReading(ServiceSettings.entries, of: reader.snapshot(), at: scope, into: &settings)
        try reading.check(unknownKeys)
        self.init(settings)
    }

    /// Makes a network interface over another transport, whose settings are read by swift-configuration.
    ///
    /// The keys of the default transport name no setting of this instance.
    ///
    /// - Parameters:
    ///   - reader: The reader, without a scope of the settings.
    ///   - scope: The beginning of the keys.
    ///   - unknownKeys: What follows from keys that name no setting; nothing by default.
    ///   - transport: The transport, which is shut down together with this instance.
    ///   - configure: Changes the configuration before settings are read.
    /// - Throws: ``SettingsError`` with all that is wrong; the error that the closure throws.
    public convenience init(
        reading reader: ConfigReader,
        at scope: ConfigKey = "swifty",
        unknownKeys: UnknownKeys = .ignored,
        transport: any Transport,
        configure: (inout Configuration) throws -> Void = { _ in }
    ) throws {
        var configuration = Configuration()
        try configure(&configuration)
        let reading = SettingsReading(Configuration.entries, of: reader.snapshot(), at: scope, into: &configuration)
        try reading.check(unknownKeys)
        self.init(configuration: configuration, transport: transport)
    }
}

extension SettingsReading {
    /// Looks for unknown keys, and reports those that only are reported.
    ///
    /// - Throws: ``Swifty/SettingsError`` if the settings cannot be used.
    func check(_ unknownKeys: Swifty.UnknownKeys) throws(Swifty.SettingsError) {
        let findings = unknownKeys.check(entries.map(\.key), at: scope)
        findings.report()
        if let error = error(with: findings) { throw error }
    }

    /// All that is wrong; `nil` if the settings can be used.
    func error(with unknownKeys: Swifty.UnknownKeys.Findings) -> Swifty.SettingsError? {
        let all = problems + unknownKeys.refused
        return all.isEmpty ? nil : Swifty.SettingsError(problems: all)
    }
}
#endif
