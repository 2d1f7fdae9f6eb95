// SPDX-License-Identifier: MIT
#pragma once

/// Starts a process that has the rights of this one, and keeps sending datagrams to the Unix socket at a
/// path when this one has given them up. Of root's rights it keeps only those to files.
///
/// Each packet that is written to the descriptor is one datagram; each packet that is read from it is an
/// int: 0 where the datagram before was sent, else its errno. The process ends when the descriptor is
/// closed, and there is nothing to wait for.
///
/// Returns the descriptor, which does not block and is closed by exec, or -1 with errno. The corresponding
/// C functions are `fork` and `sendto`.
int crelay_start(const char *path);
