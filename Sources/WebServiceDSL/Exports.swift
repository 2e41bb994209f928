// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The declaration of an API needs this vocabulary, too: `SwiftyError`, `NetworkRequest.Priority`, `HTTPFields`.
@_exported public import SwiftyTransport
