// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// Which redirects are followed; the raw values are those of `redirectPolicy` in TNL's configuration.
enum RedirectRule: String {
    case none = "0"
    case follow = "1"
    /// Others are answers.
    case sameHost = "2"

    func policy(maximumCount: Int?) -> RedirectPolicy {
        let count = maximumCount ?? RedirectPolicy.follow.maximumCount
        switch self {
        case .none: return .none
        case .follow: return RedirectPolicy(maximumCount: count)
        case .sameHost:
            return RedirectPolicy(maximumCount: count) { redirect in
                redirect.next.target.host == redirect.request.target.host ? .follow : .refuse
            }
        }
    }
}
