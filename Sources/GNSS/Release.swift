// SPDX-License-Identifier: MIT

/// The release this source belongs to. Raise both together with a heading in CHANGELOG.md.
package enum Release {
    /// The version, as `gpsbridge --version` prints it.
    package static let version = "0.1.0"
    /// The day of the release in days since 1 January 1970: no live receiver is earlier.
    package static let daysSince1970 = 20_777
}
