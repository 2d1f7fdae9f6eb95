// SPDX-License-Identifier: MIT

/// Whether the program may open the receiver's device.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Not known yet: the receiver has not been opened, and the permissions of its device file have
    /// not been checked.
    case notDetermined = 0
    /// Not used on Linux.
    case restricted = 1
    /// The receiver may not be opened.
    case denied = 2
    /// The receiver may be opened.
    case authorizedAlways = 3
    /// The receiver may be opened, and the program has called `requestWhenInUseAuthorization()` but
    /// not `requestAlwaysAuthorization()`. In all other cases, the status is `authorizedAlways`, as
    /// on a Mac.
    case authorizedWhenInUse = 4

    /// The same as `authorizedAlways`.
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The permitted accuracy of locations. On Linux, it is always `fullAccuracy`.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// The receiver's full accuracy.
    case fullAccuracy = 0
    /// Not used on Linux.
    case reducedAccuracy = 1
}

/// The user's activity during location updates. It has no effect on Linux.
public enum CLActivityType: Int, Sendable {
    /// An activity that no other case describes.
    case other = 1
    /// Driving a car.
    case automotiveNavigation = 2
    /// Moving on foot.
    case fitness = 3
    /// Moving in another vehicle, such as a boat or a train.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5

    /// On the water: the same as `otherNavigation`. It is not a case, so that a `switch` without it
    /// compiles.
    public static var maritime: CLActivityType { .otherNavigation }
}

/// The orientation of a device. It has no effect on Linux.
public enum CLDeviceOrientation: Int32, Sendable {
    /// The orientation is not known.
    case unknown = 0
    /// The device is upright.
    case portrait = 1
    case portraitUpsideDown = 2
    /// The device is on its left side.
    case landscapeLeft = 3
    /// The device is on its right side.
    case landscapeRight = 4
    /// The device is flat, face up.
    case faceUp = 5
    /// The device is flat, face down.
    case faceDown = 6
}

/// Whether the receiver is inside a region.
public enum CLRegionState: Int, Sendable {
    /// Not known yet: no location has been received since monitoring started.
    case unknown = 0
    /// The receiver is inside the region.
    case inside = 1
    /// The receiver is outside the region.
    case outside = 2
}

/// How far away a beacon is, in categories.
public enum CLProximity: Int, Sendable {
    /// The distance is not known.
    case unknown = 0
    /// The beacon is centimetres away.
    case immediate = 1
    /// The beacon is metres away.
    case near = 2
    /// The beacon is more than a few metres away.
    case far = 3
}
