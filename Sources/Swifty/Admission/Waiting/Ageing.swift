// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The rule that keeps low priorities from starving.
///
/// What has been passed over nine times, and has waited more than twice as long as what it would overtake, goes first. So
/// a load that waits has either lost at most nine turns since its line moved, or waits no more than twice as long as those
/// before it. Loads that came at the same time are never reordered.
enum Ageing {
    static let patience = 9

    static func isDue(passedOver: Int, waited: Duration, overtaking other: Duration) -> Bool {
        passedOver >= patience && waited > other * 2
    }
}
