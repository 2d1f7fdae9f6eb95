// SPDX-License-Identifier: MIT

/// Whether a receiver may be opened, and for how long a program has asked to use it.
struct Authorization: Sendable {
    /// The device's permissions, as far as they are known.
    enum Permission {
        case unknown, denied, granted
    }

    /// The authorization that the program has asked for.
    enum Request: Comparable {
        case none, whenInUse, always
    }

    var permission = Permission.unknown
    var request = Request.none

    /// As on Apple's systems, a program that has only asked for `.authorizedWhenInUse` gets that.
    var status: CLAuthorizationStatus {
        switch (permission, request) {
        case (.unknown, _): .notDetermined
        case (.denied, _): .denied
        case (.granted, .whenInUse): .authorizedWhenInUse
        case (.granted, .none), (.granted, .always): .authorizedAlways
        }
    }
}
