// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_ALLOCATIONS_H
#define SWIFTY_ALLOCATIONS_H

#include <stdint.h>

/// How often this process has asked for memory so far, on whichever thread.
///
/// Whoever links this target, or is started with it preloaded, has its `malloc` and its relatives counted.
uint64_t allocations_count(void);

/// How many bytes this process has allocated now.
uint64_t allocations_bytes(void);

#endif
