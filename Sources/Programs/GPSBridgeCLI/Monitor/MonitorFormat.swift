// SPDX-License-Identifier: MIT

/// The output formats of `monitor`. To add one, see CONTRIBUTING.md, "Add an output".
enum MonitorFormat: String, CaseIterable {
    /// A screen that fills the terminal. Default on a terminal.
    case screen
    /// One readable line for each fix.
    case text
    /// gpsd's JSON objects, one per line.
    case json
    /// Comma-separated values, with one row for each fix.
    case csv
    /// The sentences as received.
    case nmea
}
