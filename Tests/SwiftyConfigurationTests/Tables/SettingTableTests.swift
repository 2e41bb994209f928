// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Foundation
import Swifty
import SwiftyCurl
import Testing

@testable import SwiftyConfiguration

@Suite("The table of settings", .timeLimit(.minutes(15)))
struct SettingTableTests {
    /// Settings in which every property that may be missing is there.
    private static let complete: ServiceSettings = {
        var settings = ServiceSettings()
        settings.configuration.admission.rateLimit = AdmissionPolicy.RateLimit(requests: 1, per: .seconds(1))
        settings.configuration.admission.circuitBreaker = AdmissionPolicy.CircuitBreaker()
        settings.configuration.hedging = HedgingPolicy(after: .seconds(1))
        settings.configuration.requestCompression = RequestCompression()
        return settings
    }()

    @Test("has a key, or a reason, for every property of a configuration and of the transport's settings")
    func properties() {
        let missing = Self.missing(Self.complete, below: "")
        #expect(missing == [], "without a key in SwiftyConfiguration, and without a reason in CodeOnlySetting")
    }

    @Test("misses a property that is new, at any depth")
    func newProperty() {
        struct Grown {
            struct Policy { var maximumAttempts = 1, jitter = 2 }
            struct Configuration { var retry = Policy(), novelty = true }
            var configuration = Configuration()
        }
        #expect(Self.missing(Grown(), below: "") == ["configuration.retry.jitter", "configuration.novelty"])
    }

    @Test("names only properties that exist, in the keys and in the reasons")
    func existing() {
        let known = Self.paths(Self.complete, below: "")
        let named =
            ServiceSettings.entries.map(\.property)
            + CodeOnlySetting.all.flatMap(\.properties).map {
                "configuration.\($0)"
            }
        // Below a property that has no parts, the table has parts of its own.
        #expect(named.filter { name in !known.contains { name == $0 || name.hasPrefix("\($0).") } } == [])
    }

    @Test("has each key once, and each environment variable")
    func unique() {
        let keys = ServiceSettings.entries.map(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(Scope("swifty").variable)).count == keys.count)
    }

    @Test("has no key that is a part of another one, which no file could have")
    func nested() {
        let keys = ServiceSettings.entries.map(\.key)
        #expect(keys.filter { key in keys.contains { $0.hasPrefix("\(key).") } } == [])
    }

    @Test(
        "names the environment variables that swift-configuration reads",
        arguments: ServiceSettings.entries.map(\.key)
    )
    func variables(key: String) throws {
        let provider = EnvironmentVariablesProvider(environmentVariables: [
            Scope("my.http-client").variable(key): "found"
        ])
        let reader = ConfigReader(provider: provider).scoped(to: "my.http-client")
        #expect(reader.string(forKey: ConfigKey(key)) == "found")
    }

    @Test("has defaults that can be read, and that change nothing")
    func defaults() throws {
        for entry in ServiceSettings.entries {
            var settings = Self.complete
            let text = entry.write(settings)
            // What is not a property by itself says that it is missing.
            if entry.property.contains(/identity|pins|proxy|userAgent/) { continue }
            let value = entry.shape == .list ? Self.list(text) : RawValue(text)
            #expect(throws: Never.self, "\(entry.key)") { try entry.set(&settings, value) }
            let texts = ServiceSettings.entries.map { $0.write(settings) }
            #expect(texts == ServiceSettings.entries.map { $0.write(Self.complete) }, "\(entry.key)")
        }
    }

    private static func list(_ text: String) -> RawValue {
        RawValue(list: text == "empty" ? [] : text.split(separator: ",").map(\.trimmed))
    }

    @Test("is the table of Docs/ServiceConfiguration.md")
    func documentation() throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Docs/ServiceConfiguration.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        var current = try Self.replacing("settings", of: page, with: SettingTables.settings)
        current = try Self.replacing("code only", of: current, with: SettingTables.codeOnly)
        if ProcessInfo.processInfo.environment["SWIFTY_WRITE_SETTINGS"] != nil {
            try current.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(page == current, "run this test with SWIFTY_WRITE_SETTINGS=1 to write the tables")
        }
    }

    private static func replacing(_ name: String, of page: String, with table: String) throws -> String {
        let start = try #require(page.range(of: "<!-- begin of the table: \(name) -->\n"))
        let end = try #require(page.range(of: "\n<!-- end of the table: \(name) -->"))
        return page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
    }
}

// What Mirror finds.
extension SettingTableTests {
    /// The paths of the properties for which the table has nothing.
    private static func missing(_ value: Any, below path: String) -> [String] {
        let entries = ServiceSettings.entries.map(\.property)
        let codeOnly = CodeOnlySetting.all.flatMap(\.properties).map { "configuration.\($0)" }
        return children(of: value).flatMap { name, child -> [String] in
            let path = path.isEmpty ? name : "\(path).\(name)"
            if entries.contains(path) || codeOnly.contains(path) { return [] }
            let hasParts = (entries + codeOnly).contains { $0.hasPrefix("\(path).") }
            return hasParts ? missing(child, below: path) : [path]
        }
    }

    /// The paths of all properties.
    private static func paths(_ value: Any, below path: String) -> Set<String> {
        let children = children(of: value)
        return children.reduce(into: []) { paths, child in
            let path = path.isEmpty ? child.name : "\(path).\(child.name)"
            paths.insert(path)
            if path.count(where: { $0 == "." }) < 4 { paths.formUnion(Self.paths(child.value, below: path)) }
        }
    }

    private static func children(of value: Any) -> [(name: String, value: Any)] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { children(of: $0.value) } ?? [] }
        guard mirror.displayStyle == .struct else { return [] }
        return mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
    }
}
#endif
