// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* Processes with the rights of this one, which gives them up. Of root's rights they keep only those to files. Each ends when
   its descriptor is closed, also by the end of this process, and there is nothing to wait for. The descriptors do not
   block and are closed by exec. */

/// Starts a process that keeps sending datagrams to the Unix socket at a path.
///
/// Each packet that is written to the descriptor is one datagram; each packet that is read from it is an
/// int: 0 where the datagram before was sent, else its errno.
///
/// Returns the descriptor, or -1 with errno. The corresponding C functions are `fork` and `sendto`.
int crelay_start(const char *path);

/// Starts a process that removes sockets and symbolic links when the descriptor is closed, or shut down for writing; then it
/// closes its own end.
///
/// It removes only what is at the paths now, and belongs to this user: the same file in the same folder. Nothing that is
/// written to the descriptor changes that.
///
/// Returns the descriptor, or -1 with errno. The corresponding C functions are `fork` and `unlinkat`.
int crelay_remove_at_end(const char *const *paths, size_t count);
