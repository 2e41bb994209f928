// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Whether a cassette is recorded or replayed.
public enum RecordMode: String, Sendable, CaseIterable {
    /// Recorded if the file does not exist, and replayed from then on.
    case once
    /// Always recorded; replaces the file.
    case all
    /// Only replayed: a request that is not in the file fails.
    case none
    /// Replayed; requests that are not in the file are sent and added.
    case new

    /// The environment variable that overrides the mode given in code.
    static let environmentVariable = "SWIFTY_RECORD"

    /// The mode of the environment; `nil` without one.
    ///
    /// - Throws: ``SwiftyError/Code/mockUnavailable`` for a value that is not a mode.
    static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SwiftyError) -> RecordMode? {
        guard let text = environment[environmentVariable], !text.isEmpty else { return nil }
        guard let mode = RecordMode(rawValue: text) else {
            let all = allCases.map(\.rawValue).joined(separator: ", ")
            throw .mockUnavailable("\(environmentVariable) is \"\(text)\", but the modes are \(all)")
        }
        return mode
    }
}
