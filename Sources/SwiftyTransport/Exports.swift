// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The vocabulary's field and method types are HTTPTypes': whoever imports Swifty can name them.
@_exported public import HTTPTypes
