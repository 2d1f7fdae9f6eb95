// SPDX-License-Identifier: MIT

/// Degrees of latitude or longitude, WGS 84.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres; negative if unknown.
public typealias CLLocationAccuracy = Double
/// Metres per second; negative if unknown.
public typealias CLLocationSpeed = Double
/// Metres per second; negative if unknown.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north; negative if unknown.
public typealias CLLocationDirection = Double
/// Degrees; negative if unknown.
public typealias CLLocationDirectionAccuracy = Double
/// Microtesla.
public typealias CLHeadingComponentValue = Double

/// The largest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The largest time interval.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// A filter that delivers every location.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// A filter that delivers every heading.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// Any valid fix.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// Any valid fix.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The lowest accuracy.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000
