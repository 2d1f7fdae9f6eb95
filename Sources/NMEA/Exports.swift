// SPDX-License-Identifier: MIT

// Sentences speak of coordinates, times and epochs: `import NMEA` is all that a program writes.
@_exported public import GNSS
