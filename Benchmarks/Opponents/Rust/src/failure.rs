// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Any error that ends a load or the program.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
