// SPDX-License-Identifier: MIT
@_exported public import GPSTestTraits
