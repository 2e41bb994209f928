// swift-format-ignore-file
// As Docs/Migration.md prints it.
// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Flipkart shim
import Foundation
@_exported import FoundationNetworking
import Swifty
@_exported import SwiftyURLSession

extension SwiftyError { var code: Int { _code } }

extension WebService { public static var queryEncoding: QueryEncoding { .flipkart } }

extension WebServiceNetworkInterface {
    public var deliveryQueue: DispatchQueue { .main }

    public func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        await loadResource(draft, cancellation: cancellation)
    }
}
