// SPDX-License-Identifier: MIT

// Sentences have coordinates, times and epochs: a program only needs `import NMEA`.
@_exported public import GNSS
