// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Declarations of APIs use its types, too: `SwiftyError`, `NetworkRequest.Priority`, `HTTPFields`.
@_exported public import SwiftyTransport
