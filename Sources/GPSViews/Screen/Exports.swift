// SPDX-License-Identifier: MIT

// Every panel formats numbers with GNSS's functions.
@_exported public import GNSS
