// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of the user's own files: `SWIFTY_CONFIG_DIR`, or `swifty` in the XDG folder for configuration.
enum ConfigurationFolder {
    static func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let path = environment["SWIFTY_CONFIG_DIR"], !path.isEmpty { return path }
        // A relative one is to be ignored (XDG Base Directory Specification).
        if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return "\(path)/swifty" }
        return "\(environment["HOME"] ?? NSHomeDirectory())/.config/swifty"
    }
}
