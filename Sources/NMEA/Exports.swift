// SPDX-License-Identifier: MIT

// Sentences have coordinates, times and epochs: `import NMEA` is all that a program writes.
@_exported public import GNSS
