// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import SwiftyTestServers

extension LoopbackResponse {
    /// A mocked answer on a socket: latency and rate delay it, a cut or a failure breaks the connection.
    ///
    /// Of the failures, `timedOut` is silence until the client leaves. All others are a reset: a server cannot cause
    /// those that happen before it is reached.
    init(_ answer: MockResponse) {
        switch answer.outcome {
        case .failure(let error):
            self = LoopbackResponse(status: 500).failing(with: error.code == .timedOut ? .stall : .reset)
        case .response(let head, let content):
            let fields = head.headers.map { (name: $0.name.rawName, value: $0.value) }
            self.init(status: head.statusCode, headers: fields, content: content)
            if let rate = answer.bytesPerSecond { self = slow(bytesPerSecond: rate) }
            if let cut = answer.cut, cut < content.count { self = failing(with: .closeAfter(contentBytes: cut)) }
        }
        if answer.latency > .zero { delay = answer.latency }
    }
}
