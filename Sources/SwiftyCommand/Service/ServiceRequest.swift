// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// A request of a service command, made of the words that the command line has for each parameter.
struct ServiceRequest: Sendable {
    let name: String
    let summary: String
    let parameters: [ParameterForm]
    let make: @Sendable ([String: [String]]) throws -> ServiceResource

    /// The line that shows how it is called.
    var usage: String { ([name] + parameters.map(\.usage)).joined(separator: " ") }
}

/// A resource of any kind, and its load.
struct ServiceResource: Sendable {
    let draft: RequestDraft
    /// Loads; an error is a part of the response.
    let load: @Sendable () async -> NetworkResponse

    init(_ original: NetworkResource) {
        let resource = original.copy().context(CalledRequest())
        draft = resource.draft
        load = {
            do throws(SwiftyError) {
                return try await resource.load()
            } catch {
                return Self.response(of: error)
            }
        }
    }

    init<Value>(_ original: TypedResource<Value>) {
        let resource = original.copy().context(CalledRequest())
        draft = resource.draft
        load = {
            do throws(SwiftyError) {
                let response = try await resource.response()
                return NetworkResponse(head: response.head, data: response.data, metrics: response.metrics)
            } catch {
                return Self.response(of: error)
            }
        }
    }

    /// The response, if only its status is the failure; else the failure.
    private static func response(of error: SwiftyError) -> NetworkResponse {
        guard error.code == .unacceptableStatus, let head = error.head else { return NetworkResponse(error: error) }
        return NetworkResponse(head: head, data: error.content ?? Data(), metrics: error.metrics ?? LoadMetrics())
    }
}
