// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

extension RetryPlan.Outcome {
    /// How an attempt ended; `nil` if it did not get as far as a transport or a head.
    init?(_ result: Result<NetworkResponse, SwiftyError>) {
        switch result {
        case .success(let response):
            guard let head = response.head else { return nil }
            self = .answered(head)
        case .failure(let error):
            self = .failed(error)
        }
    }

    var head: ResponseHead? {
        if case .answered(let head) = self { head } else { nil }
    }

    var error: SwiftyError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// How far the request got.
    var sent: SwiftyError.SentState { error?.sent ?? .responded }

    var statusCode: Int? { head?.statusCode }

    /// How long the server asks to wait.
    var retryAfter: Duration? {
        head?.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: Date()) }
    }

    /// The replay rule.
    func mayRepeat(_ request: NetworkRequest) -> Bool {
        switch self {
        case .answered(let head): RetryPlan.mayRepeat(request, afterStatus: head.statusCode)
        case .failed(let error): RetryPlan.mayRepeat(request, after: error.sent)
        }
    }
}

extension RetryPlan.Step {
    /// The wait before the next attempt; `nil` if there is none.
    var wait: Duration? {
        switch self {
        case .deliver: nil
        case .retry(let wait): wait
        case .moveToNewConnection: .zero
        }
    }
}
