// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a response may be like.
public struct ResponseRules: Sendable, Hashable {
    /// What happens to responses that break HTTP's rules.
    public enum Strictness: Sendable, Hashable {
        /// They fail the load.
        case strict
        /// Those that most clients take are taken, though another reader on the way may understand them otherwise.
        case lenient
    }

    /// What happens to responses that break HTTP's rules.
    public var strictness = Strictness.strict
    /// How many bytes the content may have. A larger one ends the transfer with SwiftyError/Code/responseTooLarge.
    public var bodyLimit = 32 << 20
    /// How many bytes status lines, header fields and trailers may have together.
    public var headLimit = 256 << 10

    /// Makes the default rules: strict, 32 MiB of content, 256 KiB of fields.
    public init() {}
}
