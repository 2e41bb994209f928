// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The error of a response that breaks its grammar or its limits.
enum ResponseError: Error, Equatable {
    case malformed(String)
    case tooLarge(String)
}

extension TransferFailure {
    /// The failure of a response that breaks its grammar or its limits.
    init(_ error: ResponseError, stage: SwiftyError.Stage) {
        let sent: SwiftyError.SentState = stage == .content ? .responded : .maybeSent
        switch error {
        case .malformed(let reason): self.init(code: .malformedResponse, stage: stage, sent: sent, reason: reason)
        case .tooLarge(let reason): self.init(code: .responseTooLarge, stage: stage, sent: sent, reason: reason)
        }
    }
}
