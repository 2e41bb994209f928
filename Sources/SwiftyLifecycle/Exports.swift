// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Lifecycle
@_exported public import Swifty
#endif
