// SPDX-License-Identifier: MIT

/// The number of a group of beacons.
public typealias CLBeaconMajorValue = UInt16
/// The number of a beacon in its group.
public typealias CLBeaconMinorValue = UInt16

// Safety: immutable.
/// A Bluetooth beacon. Beacons are never reported on Linux; the type exists for programs that
/// handle them.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The UUID of the beacon.
    open var uuid: UUID { UUID(uuid: UUID_NULL) }
    /// The same as `uuid`.
    open var proximityUUID: UUID { uuid }
    /// The number of the beacon's group.
    open var major: NSNumber { 0 }
    /// The beacon's number in the group.
    open var minor: NSNumber { 0 }
    /// The proximity of the beacon.
    open var proximity: CLProximity { .unknown }
    /// The distance in metres; -1 if unknown.
    open var accuracy: CLLocationAccuracy { -1 }
    /// The signal strength in decibels.
    open var rssi: Int { 0 }
    /// The time of the observation.
    open var timestamp: Date { .distantPast }

    /// Creates a beacon with all properties zero.
    public override init() {}

    /// Returns itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Creates a beacon with all properties zero.
    public required init?(coder: NSCoder) {}
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
