// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Logging
import Swifty

extension LoggingPolicy {
    static let entries: [SettingEntry<Self>] = [
        SettingEntry("successLevel", .level, sets: \.successLevel, means: "The level of a load that has succeeded."),
        SettingEntry("failureLevel", .level, sets: \.failureLevel, means: "The level of a load that has failed."),
        SettingEntry("retryLevel", .level, sets: \.retryLevel, means: "The level of an attempt after a failed one."),
        SettingEntry(
            "slownessLevel",
            .level,
            sets: \.slownessLevel,
            means: "The level of hooks and waits that are slow."
        ),
        SettingEntry(
            "circuitLevel",
            .level,
            sets: \.circuitLevel,
            means: "The level of a circuit breaker that opens or closes."
        ),
        SettingEntry("wireLevel", .level, sets: \.wireLevel, means: "The level of requests and responses."),
        SettingEntry(
            "usesCurrentLogger",
            .boolean,
            sets: \.usesCurrentLogger,
            means: "Whether a load is logged to the logger of the task that begins it."
        ),
    ]
}

extension SettingKind<Logger.Level> {
    fileprivate static var level: Self { ofCases }
}
#endif
