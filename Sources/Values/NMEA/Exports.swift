// SPDX-License-Identifier: MIT

// Sentences contain coordinates and times, which `GNSS` declares. With these exports, a program
// needs only `import NMEA`.
@_exported public import GNSS
