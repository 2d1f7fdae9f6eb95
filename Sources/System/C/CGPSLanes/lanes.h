// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

// Swift's SIMD types compare lane by lane, but cannot create a bit mask of the lanes. These functions take and
// return values, and do not access memory.

/// Sixteen bytes, the first in the lowest byte of the first word; `SIMD2<UInt64>` in Swift.
typedef uint64_t clanes_pair __attribute__((ext_vector_type(2)));

typedef uint8_t clanes_bytes __attribute__((ext_vector_type(16)));
typedef int8_t clanes_truths __attribute__((ext_vector_type(16)));
typedef _Bool clanes_bits __attribute__((ext_vector_type(16)));

static inline __attribute__((always_inline)) uint32_t clanes_mask(clanes_truths truths)
{
    return __builtin_bit_cast(uint16_t, __builtin_convertvector(truths, clanes_bits));
}

/// Returns a bit mask of the bytes that are commas. The lowest bit belongs to the first byte.
static inline __attribute__((always_inline)) uint32_t clanes_commas(clanes_pair pair)
{
    return clanes_mask((clanes_truths)((clanes_bytes)pair == (clanes_bytes)(',')));
}

/// Returns `counted` with 1 added to each byte (lane) whose byte in `pair` is a comma. A lane
/// counts up to 255.
static inline __attribute__((always_inline)) clanes_pair clanes_count(clanes_pair counted, clanes_pair pair)
{
    return (clanes_pair)((clanes_bytes)counted - (clanes_bytes)((clanes_bytes)pair == (clanes_bytes)(',')));
}

/// Returns the sum of the sixteen lanes (bytes).
static inline __attribute__((always_inline)) uint32_t clanes_sum(clanes_pair counted)
{
    typedef uint32_t sums __attribute__((ext_vector_type(16)));

    return __builtin_reduce_add(__builtin_convertvector((clanes_bytes)counted, sums));
}

/// Returns a bit mask of the bytes that are not allowed in a sentence's body: non-printable bytes,
/// `$` and `!`. The lowest bit belongs to the first byte.
static inline __attribute__((always_inline)) uint32_t clanes_non_printable(clanes_pair pair)
{
    clanes_bytes bytes = (clanes_bytes)pair;

    return clanes_mask((clanes_truths)(((clanes_truths)pair < (clanes_truths)(0x20))
        | (bytes == (clanes_bytes)(0x7F)) | (bytes == (clanes_bytes)('$'))
        | (bytes == (clanes_bytes)('!'))));
}

/// Returns the first `count` bytes, 0 to 16, followed by zeros.
static inline __attribute__((always_inline)) clanes_pair clanes_first(clanes_pair pair, uint8_t count)
{
    const clanes_bytes places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    return pair & (clanes_pair)(places < (clanes_bytes)(count));
}

/// Returns a bit mask of the bytes that may end a sentence's body: those that are not allowed in
/// it, and some rare ones that are allowed (a space, `"`, `#`, `%` and `&`). The lowest bit belongs
/// to the first byte.
static inline __attribute__((always_inline)) uint32_t clanes_delimiters(clanes_pair pair)
{
    clanes_bytes next = (clanes_bytes)pair + (clanes_bytes)(1);

    return clanes_mask((clanes_truths)((clanes_truths)(next & (clanes_bytes)(0xF8)) <= (clanes_truths)(0x20)));
}
