// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

public import Configuration
public import Swifty

#if canImport(SwiftyCurl)
public import SwiftyCurl
#endif

// Values that a program reads by themselves. Each changes only if all settings that a provider has can be used.

extension Swifty.Configuration {
    /// Reads all policies and defaults, such as `swifty.retry.maximumAttempts` at `swifty`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}

extension TransportSettings {
    /// Reads all settings of TLS, proxies, addresses, connections and responses, such as `swifty.tls.trust` at
    /// `swifty`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}

#if canImport(SwiftyCurl)
extension CurlTransport.Configuration {
    /// Reads all settings of the transport, such as `swifty.transport.loops` and `swifty.tls.trust` at `swifty`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}
#endif

extension RetryPolicy {
    /// Reads the policy, such as `shop.retry.maximumAttempts` at `shop.retry`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}

extension RedirectPolicy {
    /// Reads the policy, such as `shop.redirects.maximumCount` at `shop.redirects`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}

extension AdmissionPolicy {
    /// Reads the policy, such as `shop.admission.maximumLoads` at `shop.admission`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}

extension NetworkRequest.Timeouts {
    /// Reads the time limits, such as `shop.timeouts.total` at `shop.timeouts`.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all that is wrong.
    public mutating func read(from reader: ConfigReader, at scope: ConfigKey) throws(Swifty.SettingsError) {
        try SettingsReading.read(Self.entries, of: reader, at: scope, into: &self)
    }
}
#endif
