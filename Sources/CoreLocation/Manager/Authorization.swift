// SPDX-License-Identifier: MIT

/// Whether the receiver may be opened, and which authorization the program has requested.
struct Authorization: Sendable {
    /// The permission to open the device, as far as known.
    enum Permission {
        case unknown, denied, granted
    }

    /// The authorization that the program has requested.
    enum Request: Comparable {
        case none, whenInUse, always
    }

    var permission = Permission.unknown
    var request = Request.none

    /// The status. As on Apple's systems, a program that has requested only `.authorizedWhenInUse`
    /// gets that.
    var status: CLAuthorizationStatus {
        switch (permission, request) {
        case (.unknown, _): .notDetermined
        case (.denied, _): .denied
        case (.granted, .whenInUse): .authorizedWhenInUse
        case (.granted, .none), (.granted, .always): .authorizedAlways
        }
    }
}
