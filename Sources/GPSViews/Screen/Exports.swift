// SPDX-License-Identifier: MIT

// Every panel formats numbers with functions of GNSS.
@_exported public import GNSS
