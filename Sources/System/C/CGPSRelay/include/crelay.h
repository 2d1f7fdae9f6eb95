// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* Helper processes that keep rights which this process gives up. Of root's rights they keep only those to files. Each
   ends when its descriptor is closed, at the latest with this process, and need not be waited for. The descriptors are
   non-blocking and close-on-exec. */

/// Starts a process that keeps sending datagrams to the Unix socket at a path.
///
/// Each packet written to the returned descriptor is sent as one datagram. For each packet, another
/// packet with an int can be read: 0 if the datagram was sent, otherwise the errno.
///
/// Returns the descriptor, or -1 with errno. The corresponding C functions are `fork` and `sendto`.
int crelay_start(const char *path);

/// Starts a process that removes the sockets and symbolic links at `paths` when the calling process
/// ends, closes the returned descriptor, or shuts it down for writing. The started process then
/// closes its end of the connection.
///
/// It only removes files that exist at the time of this call and belong to this user, if they are
/// still the same files in the same folders. Data written to the descriptor is ignored.
///
/// Returns the descriptor, or -1 with errno. The corresponding C functions are `fork` and
/// `unlinkat`.
int crelay_remove_at_end(const char *const *paths, size_t count);
