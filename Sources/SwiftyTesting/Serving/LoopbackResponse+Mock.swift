// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

import struct Foundation.Data

extension LoopbackResponse {
    /// A mocked answer on a socket: latency and rate are waited for, a cut and a failure break the connection.
    ///
    /// Of the failures, `timedOut` is silence until the client leaves. All others are a reset: a server cannot cause
    /// those that happen before it is reached.
    init(_ answer: MockResponse) {
        switch answer.outcome {
        case .failure(let error):
            self.init(status: 500)
            if error.code == .timedOut { delay = .seconds(1_000_000) } else { fault = .reset }
        case .response(let head, let content):
            let fields = head.headers.map { (name: $0.name.rawName, value: $0.value) }
            self.init(status: head.statusCode, headers: fields, body: content)
            if let rate = answer.bytesPerSecond { self.content = .pieces(Self.pieces(of: content, rate: rate)) }
            if let cut = answer.cut, cut < content.count { fault = .closeAfter(bodyBytes: cut) }
        }
        if answer.latency > .zero, delay == nil { delay = answer.latency }
    }

    /// What is sent in each tenth of a second.
    private static func pieces(of content: Data, rate: Int) -> PieceSource {
        let size = max(1, rate / 10)
        let bytes = Array(content)
        let pause = Duration.seconds(Double(size) / Double(rate))
        return PieceSource(count: (bytes.count + size - 1) / size, length: bytes.count, pause: pause) { index in
            Data(bytes[index * size..<min(bytes.count, (index + 1) * size)])
        }
    }
}
