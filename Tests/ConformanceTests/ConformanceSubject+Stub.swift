// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyConformance
import SwiftyTesting

extension ConformanceSubject {
    /// A ``StubTransport`` that responds as the server of the suite does.
    static let stub = ConformanceSubject("StubTransport") { _ in
        StubTransport { try await ConformanceOrigin.respond(to: $0) }
    }
}
