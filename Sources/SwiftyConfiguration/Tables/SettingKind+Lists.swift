// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension SettingKind where Value: Hashable & Sendable {
    /// The kind of sets of such values, which are written in the order of their text.
    fileprivate func set(named name: String) -> SettingKind<Set<Value>> {
        let write = write
        return list(named: name).converted { values throws(WrongValue) in
            Set(values)
        } from: { values in
            values.sorted { write($0) < write($1) }
        }
    }
}

extension SettingKind<Set<Int>> {
    static var statuses: Self { SettingKind<Int>.count(from: 100, to: 599).set(named: "statuses") }
}

extension SettingKind<Set<String>> {
    static var hosts: Self { SettingKind<String>.text.set(named: "hosts") }
    static var mediaTypes: Self { SettingKind<String>.text.set(named: "media types") }
}

extension SettingKind<Set<HTTPRequest.Method>> {
    static var methods: Self {
        SettingKind<HTTPRequest.Method>("method") { raw throws(WrongValue) in
            let text = raw.text
            guard !raw.isList, text == text.uppercased(), let method = HTTPRequest.Method(text) else {
                throw WrongValue(not: "a method", such: "GET", as: commonMethods.map(\.rawValue), given: text)
            }
            return method
        } write: {
            $0.rawValue
        }
        .set(named: "methods")
    }
}

extension SettingKind<Set<SwiftyError.Code>> {
    static var errorCodes: Self {
        SettingKind<SwiftyError.Code>("code") { raw throws(WrongValue) in
            let (text, all) = (raw.text, SwiftyError.Code.all)
            guard !raw.isList, all.contains(SwiftyError.Code(rawValue: text)) else {
                let names = all.map(\.rawValue).sorted()
                throw WrongValue(not: "the code of an error", such: "timedOut", as: names, given: text)
            }
            return SwiftyError.Code(rawValue: text)
        } write: {
            $0.rawValue
        }
        .set(named: "codes")
    }
}

/// The methods that a wrong one may be meant to be.
private let commonMethods: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete, .post, .patch]

extension WrongValue {
    /// A value that is no name of a kind.
    ///
    /// - Parameters:
    ///   - expectation: What it is not.
    ///   - example: An example, if no name is nearly the same.
    ///   - names: The names.
    ///   - text: The value.
    fileprivate init(not expectation: String, such example: String, as names: [String], given text: String) {
        // A long text is no misspelled name, and would take long to compare.
        let meant = text.count > 60 ? nil : Similarity.closest(to: text[...], in: names.map { $0[...] })
        self.init(not: meant.map { "\(expectation); did you mean \($0)?" } ?? "\(expectation), such as \(example)")
    }
}

extension SettingKind<Set<HTTPField.Name>> {
    static var fieldNames: Self { SettingKind<HTTPField.Name>.fieldName.set(named: "names of fields") }
}

extension SettingKind<HTTPField.Name> {
    static var fieldName: Self {
        Self("name of a field", expectation: "the name of a header field") { text in
            text.hasPrefix(":") ? nil : HTTPField.Name(text)
        } write: {
            $0.rawName
        }
    }
}

extension SettingKind<HTTPFields> {
    /// Header fields, each as in HTTP.
    static var fields: Self {
        pair(separator: ":").list(named: "`Name: value`").converted { pairs throws(WrongValue) in
            var fields = HTTPFields()
            for (text, value) in pairs {
                guard let name = HTTPField.Name(text), !text.hasPrefix(":"), HTTPField.isValidValue(value) else {
                    throw WrongValue(not: "a header field, such as User-Agent: Shop")
                }
                fields.append(HTTPField(name: name, value: value))
            }
            return fields
        } from: { fields in
            fields.map { ($0.name.rawName, $0.value) }
        }
    }
}

extension SettingKind<[String: [String]]> {
    /// Pins by host, in the order in which they are given.
    static var pins: Self {
        pair(separator: "=").list(named: "pins").converted { pairs throws(WrongValue) in
            for (_, pin) in pairs where !pin.hasPrefix("sha256//") {
                throw WrongValue(not: "a pin, sha256// and base64")
            }
            return Dictionary(pairs.map { ($0.0, [$0.1]) }) { $0 + $1 }
        } from: { pins in
            pins.flatMap { host, values in values.map { (host, $0) } }
        }
    }
}

extension SettingKind<[HostAndPort: [String]]> {
    static var overrides: Self {
        pair(separator: "=").list(named: "`host:port=address`").converted { pairs throws(WrongValue) in
            var overrides: [HostAndPort: [String]] = [:]
            for (text, address) in pairs {
                guard let peer = HostAndPort(text: text) else {
                    throw WrongValue(not: "such as example.com:443=127.0.0.1")
                }
                overrides[peer, default: []].append(address)
            }
            return overrides
        } from: { overrides in
            overrides.flatMap { peer, addresses in addresses.map { ("\(peer)", $0) } }
        }
    }
}

extension SettingKind<[TargetURI: TargetURI]> {
    static var reroutes: Self {
        pair(separator: "=").list(named: "`URL=URL`").converted { pairs throws(WrongValue) in
            var reroutes: [TargetURI: TargetURI] = [:]
            for (text, other) in pairs {
                do throws(TargetURI.ValidationError) {
                    reroutes[try TargetURI(text)] = try TargetURI(other)
                } catch {
                    throw WrongValue.value("has a wrong URL: \(error.reason)")
                }
            }
            return reroutes
        } from: { reroutes in
            reroutes.map { ($0.key.origin, $0.value.origin) }
        }
    }
}

/// A name and a value, with a separator between them and white space that does not count.
private func pair(separator: Character) -> SettingKind<(String, String)> {
    SettingKind<(String, String)>("pair", expectation: "a name and a value with \(separator) between them") { text in
        guard let position = text.firstIndex(of: separator) else { return nil }
        let name = text[..<position].trimmed
        let value = text[text.index(after: position)...].trimmed
        return name.isEmpty || value.isEmpty ? nil : (name, value)
    } write: {
        "\($0)\(separator)\($1)"
    }
}

extension HostAndPort {
    fileprivate init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), colon > text.startIndex
        else { return nil }
        self.init(host: String(text[..<colon]), port: port)
    }
}
#endif
