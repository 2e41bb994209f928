// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Swifty
import SwiftyTransport

/// What `error.type` says of a request or a load, in metrics and in spans alike.
enum ErrorType {
    /// The error type of a request: the code of its error, or else a status from 400 on; `nil` if it has not failed.
    ///
    /// A caller who ends a request that has a response, such as a stream of events, has what it wanted: only the status
    /// counts then.
    static func ofRequest(_ code: SwiftyError.Code?, status: Int?) -> String? {
        if let code, !(code.isEndOfCaller && status != nil) { return code.rawValue }
        return status.flatMap { $0 >= 400 ? "\($0)" : nil }
    }

    /// The error type of a load, likewise; `nil` if it has not failed.
    static func ofLoad(_ response: NetworkResponse) -> String? {
        guard let code = response.error?.code else { return nil }
        return code.isEndOfCaller && response.statusCode.map { $0 < 400 } == true ? nil : code.rawValue
    }
}

extension SwiftyError.Code {
    /// Whether the caller has ended the load, which is no failure of a span.
    var isEndOfCaller: Bool { self == .cancelled || self == .shutdown }
}
#endif
