// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// `import Swifty` is all that a user writes.
@_exported public import WebServiceDSL
