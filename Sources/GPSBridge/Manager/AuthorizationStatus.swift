// SPDX-License-Identifier: MIT

/// Whether the receiver may be read. On Linux that is the device node's permissions.
///
/// The CoreLocation counterpart is `CLAuthorizationStatus`.
public enum AuthorizationStatus: Int, Hashable, Sendable {
    /// Nobody has tried to open a receiver yet.
    case notDetermined = 0
    /// The receiver may not be opened.
    case denied = 2
    /// The receiver could be opened.
    case authorizedAlways = 3
}
