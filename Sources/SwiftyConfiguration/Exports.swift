// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
@_exported public import Swifty
#endif
