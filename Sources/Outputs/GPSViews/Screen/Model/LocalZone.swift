// SPDX-License-Identifier: MIT

/// The local time zone at some time.
package struct LocalZone: Hashable, Sendable {
    /// The offset of local time from UTC in seconds, positive to the east.
    package var offset: Int
    /// The abbreviation, such as `CEST`.
    package var name: String

    /// Creates a zone. Default: UTC.
    package init(offset: Int = 0, name: String = "UTC") {
        self.offset = offset
        self.name = name
    }
}
