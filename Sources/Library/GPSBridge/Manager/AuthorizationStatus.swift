// SPDX-License-Identifier: MIT

/// Whether the program may read the receiver. On Linux, this depends on the permissions of the
/// device node.
///
/// The CoreLocation counterpart is `CLAuthorizationStatus`.
public enum AuthorizationStatus: Int, Hashable, Sendable {
    /// No receiver has been opened or refused yet.
    case notDetermined = 0
    /// The program may not open the receiver.
    case denied = 2
    /// The receiver has been opened, or a request for authorization has found no refusal.
    case authorizedAlways = 3
}
