// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SWIFTY_ALLOCATIONS_H
#define SWIFTY_ALLOCATIONS_H

#include <stdint.h>

/// The number of allocations of this process so far, on all threads.
///
/// Calls of `malloc` and its relatives are counted in programs that link this target or preload it.
uint64_t allocations_count(void);

/// The number of bytes that this process has allocated now.
uint64_t allocations_bytes(void);

#endif
