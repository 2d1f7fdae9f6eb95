// SPDX-License-Identifier: MIT

/// A latitude, a longitude or another angle in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// The accuracy of a position or an altitude in metres; negative if unknown.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second; negative if unknown.
public typealias CLLocationSpeed = Double
/// The accuracy of a speed in metres per second; negative if unknown.
public typealias CLLocationSpeedAccuracy = Double
/// A direction in degrees clockwise from north; negative if unknown. North means true north, except
/// in `CLHeading.magneticHeading`.
public typealias CLLocationDirection = Double
/// The accuracy of a direction in degrees; negative if unknown.
public typealias CLLocationDirectionAccuracy = Double
/// A component of the magnetic field in microtesla.
public typealias CLHeadingComponentValue = Double

/// The largest finite distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The largest finite time interval.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// The `distanceFilter` that delivers every location.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The `headingFilter` that delivers every heading.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// The best accuracy available. On Linux, it has the same effect as `kCLLocationAccuracyBest`.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy available. As the `desiredAccuracy`, it accepts any valid fix.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// An accuracy of 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// An accuracy of 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// An accuracy of 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// An accuracy of 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The lowest accuracy: 6,380 km, about the radius of the Earth.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000
