// SPDX-License-Identifier: MIT

/// The version and the date of this release. If you change them, also add a heading to
/// CHANGELOG.md.
package enum Release {
    /// The version printed by `gpsbridge --version`.
    package static let version = "0.1.0"
    /// The day of the release, in days since 1 January 1970. A live receiver cannot correctly
    /// report an earlier date.
    package static let daysSince1970 = 20_777
}
