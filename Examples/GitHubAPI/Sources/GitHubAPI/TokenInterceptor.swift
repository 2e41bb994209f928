// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Sends the token of `GITHUB_TOKEN`, without which GitHub allows few requests and none that write.
struct TokenInterceptor: RequestInterceptor {
    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        guard let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"], !token.isEmpty else { return resource }
        return resource.bearer(token)
    }
}
