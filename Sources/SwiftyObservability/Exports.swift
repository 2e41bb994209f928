// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
@_exported public import Swifty
#endif
