// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0
