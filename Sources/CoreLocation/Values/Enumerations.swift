// SPDX-License-Identifier: MIT

/// Whether the receiver may be read: the permission to open its device.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The receiver has not been opened, nor its permissions been looked at.
    case notDetermined = 0
    /// Never on Linux.
    case restricted = 1
    /// The receiver may not be opened.
    case denied = 2
    /// The receiver may be opened.
    case authorizedAlways = 3
    /// Never on Linux: `authorizedAlways`, as on a Mac.
    case authorizedWhenInUse = 4

    /// The same as `authorizedAlways`.
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How accurate locations may be; always `fullAccuracy` on Linux.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// As accurate as the receiver is.
    case fullAccuracy = 0
    /// Never on Linux.
    case reducedAccuracy = 1
}

/// The activity that locations are used for. Without effect on Linux.
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

/// How a device is held. Without effect on Linux.
public enum CLDeviceOrientation: Int32, Sendable {
    /// Not known.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upright, bottom up.
    case portraitUpsideDown = 2
    /// On its left side.
    case landscapeLeft = 3
    /// On its right side.
    case landscapeRight = 4
    /// On its back.
    case faceUp = 5
    /// On its face.
    case faceDown = 6
}

/// Where a location is with respect to a region.
public enum CLRegionState: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Inside.
    case inside = 1
    /// Outside.
    case outside = 2
}

/// How far a beacon is.
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
