// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

module opponent-go

go 1.19
