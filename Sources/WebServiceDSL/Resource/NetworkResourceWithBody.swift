// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Safety: adds no state to `NetworkResource`.
/// A request that may carry a body: `post`, `put`, `patch`, `delete`, and any method of your own.
public final class NetworkResourceWithBody: NetworkResource, @unchecked Sendable {}
