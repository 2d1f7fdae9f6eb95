// SPDX-License-Identifier: MIT

/// The formats of `monitor`.
enum MonitorFormat: String, CaseIterable {
    /// A view that fills the terminal.
    case screen
    /// One readable line per fix.
    case text
    /// gpsd's JSON objects, one a line.
    case json
    /// Comma-separated values, a row for every fix.
    case csv
    /// The sentences as they came.
    case nmea
}
