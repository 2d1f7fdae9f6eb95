// SPDX-License-Identifier: MIT
import GPSBridge

/// The permission to open the receiver, and the authorization that the program has requested.
struct Authorization: Sendable {
    /// Whether the device may be opened.
    enum Permission {
        case unknown
        /// The file permissions do not allow reading the device. Each request checks them again.
        case unreadable
        /// The device was refused when it was opened.
        case denied
        case granted

        /// Creates the permission that a manager has determined; `nil` if it has determined none.
        init?(_ status: AuthorizationStatus) {
            switch status {
            case .notDetermined: return nil
            case .denied: self = .denied
            case .authorizedAlways: self = .granted
            }
        }
    }

    /// The authorization that the program has requested. The highest request remains in effect.
    enum Request: Comparable {
        case none, whenInUse, always
    }

    var permission = Permission.unknown
    var request = Request.none

    /// Changes the values. Returns the status before and after the change.
    mutating func change(
        _ change: (inout Authorization) -> Void
    ) -> (old: CLAuthorizationStatus, new: CLAuthorizationStatus) {
        let old = status
        change(&self)
        return (old, status)
    }

    /// The status for the program. A granted permission is reported as `.authorizedWhenInUse` only
    /// if that is what the program has requested, as on Apple's systems.
    var status: CLAuthorizationStatus {
        switch (permission, request) {
        case (.unknown, _): .notDetermined
        case (.unreadable, _), (.denied, _): .denied
        case (.granted, .whenInUse): .authorizedWhenInUse
        case (.granted, .none), (.granted, .always): .authorizedAlways
        }
    }
}
