// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// `import Swifty` also imports the DSL.
@_exported public import WebServiceDSL
