// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#ifndef SIMULATION_HPACK_H
#define SIMULATION_HPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The decoder of header compression (RFC 7541) of one connection: nghttp2's, found among the loaded libraries.
typedef struct simulation_hpack simulation_hpack;

/// Takes a field.
typedef void (*simulation_field)(
    void *context, const uint8_t *name, size_t name_length, const uint8_t *value, size_t value_length);

/// Returns NULL if nghttp2 is not loaded.
simulation_hpack *simulation_hpack_new(void);
void simulation_hpack_free(simulation_hpack *hpack);
/// Decodes a block of fields. Returns false if it is malformed.
bool simulation_hpack_decode(
    simulation_hpack *hpack, const uint8_t *block, size_t length, simulation_field field, void *context);

#endif
