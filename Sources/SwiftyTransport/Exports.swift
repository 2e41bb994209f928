// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The types of fields and methods are those of HTTPTypes. Importing Swifty makes them available.
@_exported public import HTTPTypes
