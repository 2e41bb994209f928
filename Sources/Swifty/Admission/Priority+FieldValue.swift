// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkRequest.Priority {
    /// The value of the request field `Priority` for this priority, such as `u=1`.
    ///
    /// `nil` for ``normal``, which servers assume without the field (`u=3`). ``veryHigh`` is `u=0`, ``veryLow`` is
    /// `u=6`.
    ///
    /// Source: RFC 9218 §4.1 and §5.
    public var fieldValue: String? {
        switch self {
        case .veryHigh: "u=0"
        case .high: "u=1"
        case .normal: nil
        case .low: "u=5"
        case .veryLow: "u=6"
        }
    }
}
