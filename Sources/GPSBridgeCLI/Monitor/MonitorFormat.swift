// SPDX-License-Identifier: MIT

/// The output formats of `monitor`.
enum MonitorFormat: String, CaseIterable {
    /// A view that fills the terminal.
    case screen
    /// One readable line per fix.
    case text
    /// gpsd's JSON objects, one per line.
    case json
    /// Comma-separated values, a row for every fix.
    case csv
    /// The sentences as received.
    case nmea
}
