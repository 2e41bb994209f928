// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The version of the library and the command.
enum Version {
    static let library = "0.1.0"
}
