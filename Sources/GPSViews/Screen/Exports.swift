// SPDX-License-Identifier: MIT

// Panels write figures everywhere.
@_exported public import GNSS
