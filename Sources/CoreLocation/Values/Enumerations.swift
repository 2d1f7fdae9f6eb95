// SPDX-License-Identifier: MIT

/// The permission to open the receiver's device.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The receiver has not been opened and its permissions have not been checked.
    case notDetermined = 0
    /// Never on Linux.
    case restricted = 1
    /// The receiver may not be opened.
    case denied = 2
    /// The receiver may be opened.
    case authorizedAlways = 3
    /// Never on Linux, which has `authorizedAlways` instead, as on a Mac.
    case authorizedWhenInUse = 4

    /// The same as `authorizedAlways`.
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The permitted accuracy of locations; always `fullAccuracy` on Linux.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// The receiver's full accuracy.
    case fullAccuracy = 0
    /// Never on Linux.
    case reducedAccuracy = 1
}

/// The activity for which locations are used. No effect on Linux.
public enum CLActivityType: Int, Sendable {
    /// Anything else.
    case other = 1
    /// Driving a car.
    case automotiveNavigation = 2
    /// Moving on foot.
    case fitness = 3
    /// Moving in another vehicle, such as a boat or a train.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5
}

/// The orientation of a device. No effect on Linux.
public enum CLDeviceOrientation: Int32, Sendable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// On its left side.
    case landscapeLeft = 3
    /// On its right side.
    case landscapeRight = 4
    /// Flat, face up.
    case faceUp = 5
    /// Flat, face down.
    case faceDown = 6
}

/// The state of a location in relation to a region.
public enum CLRegionState: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}

/// The distance category of a beacon.
public enum CLProximity: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Centimetres.
    case immediate = 1
    /// Metres.
    case near = 2
    /// Farther.
    case far = 3
}
