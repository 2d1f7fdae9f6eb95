// SPDX-License-Identifier: MIT

/// The permission to read the receiver. On Linux it depends on the device node's permissions.
///
/// The CoreLocation counterpart is `CLAuthorizationStatus`.
public enum AuthorizationStatus: Int, Hashable, Sendable {
    /// No receiver has been opened yet.
    case notDetermined = 0
    /// The receiver may not be opened.
    case denied = 2
    /// The receiver was opened.
    case authorizedAlways = 3
}
