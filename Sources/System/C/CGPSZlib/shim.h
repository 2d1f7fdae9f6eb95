// SPDX-License-Identifier: MIT
#include <zlib.h>

/// Calls the macro `inflateInit2` for gzip data: 31 selects gzip's header and trailer, and a window
/// of 32 KiB.
static inline int czlib_inflate_init(z_stream *stream) { return inflateInit2(stream, 31); }

/// Calls the macro `inflateInit2` for raw deflate data, as in zip archives: -15 selects neither a
/// header nor a trailer, and a window of 32 KiB.
static inline int czlib_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }

/// Calls the macro `deflateInit2` for raw deflate data: -15 selects neither a header nor a trailer,
/// and a window of 32 KiB.
static inline int czlib_deflate_init(z_stream *stream)
{
    return deflateInit2(stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
