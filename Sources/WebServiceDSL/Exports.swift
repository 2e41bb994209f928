// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Declarations of APIs also use its types: `SwiftyError`, `NetworkRequest.Priority`, `HTTPFields`.
@_exported public import SwiftyTransport
