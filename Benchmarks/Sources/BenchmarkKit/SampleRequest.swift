// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty

/// The request of the `build-request` workload: a path, a query and two header fields.
package enum SampleRequest {
    package static func build(_ server: BaseResource) -> NetworkResource {
        server.get("users/octocat/repos")
            .query(["sort": "pushed"])
            .header("Accept", "application/json")
            .header("X-Request-Source", "benchmark")
    }
}
