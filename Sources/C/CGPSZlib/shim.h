// SPDX-License-Identifier: MIT
#include <zlib.h>

/// `inflateInit2` is a macro. 31: gzip's header and trailer, a window of 32 KiB.
static inline int czlib_inflate_init(z_stream *stream) { return inflateInit2(stream, 31); }

/// `deflateInit2` is a macro. -15: neither a header nor a trailer, a window of 32 KiB.
static inline int czlib_deflate_init(z_stream *stream)
{
    return deflateInit2(stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
