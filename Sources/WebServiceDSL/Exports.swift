// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Whoever declares an API needs the vocabulary too: `SwiftyError`, `NetworkRequest.Priority`, `HTTPFields`.
@_exported public import SwiftyTransport
