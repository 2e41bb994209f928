// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The strategies of the coders, which a format is made with.
@_exported public import XMLCoder
