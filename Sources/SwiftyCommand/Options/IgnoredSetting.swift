// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A setting of TNL that has no effect here: its values, and the reason.
struct IgnoredSetting {
    enum Kind: String {
        case flag = "yes or no"
        case number = "a number"
        case text = "a text"

        func allows(_ value: String) -> Bool {
            switch self {
            case .flag: IgnoredSetting.flags[value.lowercased()] != nil
            case .number: Double(value) != nil
            case .text: true
            }
        }
    }

    /// The spellings of a Boolean in TNL.
    static let flags = ["1": true, "true": true, "yes": true, "0": false, "false": false, "no": false]

    let kind: Kind
    /// The value that the command acts by, so that nothing is ignored.
    let neutral: Double?
    let reason: String

    private init(_ kind: Kind, neutral: Double?, _ reason: String) {
        (self.kind, self.neutral, self.reason) = (kind, neutral, reason)
    }

    func isNeutral(_ value: String) -> Bool {
        let number = kind == .flag ? Self.flags[value.lowercased()].map { $0 ? 1 : 0 } : Double(value)
        return number != nil && number == neutral
    }

    private static let background = "the command has no background sessions, which are of Apple's systems"

    /// Each setting by its name.
    static let all: [String: IgnoredSetting] = [
        "contributeToExecutingNetworkConnectionsCount": .init(
            .flag,
            neutral: 0,
            "no counter of connections is shown"
        ),
        "skipHostSanitization": .init(.flag, neutral: 1, "no host is replaced; --resolve names another address"),
        "allowsCellularAccess": .init(.flag, neutral: 1, "only Apple's systems tell cellular networks from others"),
        "discretionary": .init(.flag, neutral: 0, "only Apple's systems choose the time of a load"),
        "deferrableInterval": .init(.number, neutral: 0, "TNL does not use it either"),
        "executionMode": .init(.number, neutral: 0, background),
        "shouldLaunchAppForBackgroundEvents": .init(.flag, neutral: 0, background),
        "shouldUseExtendedBackgroundIdleMode": .init(.flag, neutral: 0, background),
        "sharedContainerIdentifier": .init(.text, neutral: nil, background),
        "responseDataConsumptionMode": .init(
            .number,
            neutral: 1,
            "-o and -d save the content, --stream prints it as it arrives"
        ),
        "protocolOptions": .init(.number, neutral: 0, "--mock and swifty serve give made-up responses"),
        "connectivityOptions": .init(.number, neutral: 0, "a load without a network fails; --retry repeats it"),
        "responseComputeHashAlgorithm": .init(
            .number,
            neutral: 0,
            "--output json has the SHA-256 of the content"
        ),
    ]
}
