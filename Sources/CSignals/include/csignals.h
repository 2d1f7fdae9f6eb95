// SPDX-License-Identifier: MIT
#pragma once

/// Has the first SIGINT or SIGTERM make a descriptor readable; a second one ends the process as
/// always. SIGPIPE becomes an error of the write that caused it.
///
/// A handler, since threads of the runtime take signals that all others block. Returns the
/// descriptor, or -1 with errno. The corresponding C functions are `eventfd` and `sigaction`.
int csignals_descriptor(void);
