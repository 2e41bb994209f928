// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Configuration

/// The place of the settings in a configuration.
struct Scope: Sendable, Hashable {
    let components: [String]

    init(_ key: ConfigKey) {
        components = key.components
    }

    /// The whole key of a setting.
    func key(_ key: String) -> String {
        components.joined(separator: ".").appending(key: key)
    }

    /// The environment variable of a setting.
    func variable(_ key: String) -> String {
        (components + key.split(separator: ".").map(String.init)).map(Self.encode).joined(separator: "_")
    }

    /// The beginning of the environment variables of all settings.
    var variablePrefix: String {
        components.map { "\(Self.encode($0))_" }.joined()
    }

    /// A component as swift-configuration's provider of environment variables encodes it: words are separated by `_`.
    private static func encode(_ component: String) -> String {
        var encoded = ""
        var isAfterLowercase = false
        for character in component {
            if isAfterLowercase, character.isUppercase { encoded += "_" }
            encoded += character.isLetter || character.isNumber ? character.uppercased() : "_"
            isAfterLowercase = character.isLowercase
        }
        return encoded
    }
}
#endif
