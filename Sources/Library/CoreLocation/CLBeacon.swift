// SPDX-License-Identifier: MIT

/// The number of a group of beacons.
public typealias CLBeaconMajorValue = UInt16
/// The number of a beacon in its group.
public typealias CLBeaconMinorValue = UInt16

// Safety: has no stored values.
/// A Bluetooth beacon. Beacons are never reported on Linux. The type exists so that programs that
/// handle beacons compile; its properties have fixed values.
nonisolated open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The UUID that the beacon sends. Always all zeros.
    open var uuid: UUID { .zero }
    /// The same as `uuid`.
    open var proximityUUID: UUID { uuid }
    /// The number of the beacon's group. Always 0.
    open var major: NSNumber { 0 }
    /// The beacon's number in the group. Always 0.
    open var minor: NSNumber { 0 }
    /// The category of the beacon's distance. Always `unknown`.
    open var proximity: CLProximity { .unknown }
    /// The error of the beacon's distance in metres. Always -1, which means unknown.
    open var accuracy: CLLocationAccuracy { -1 }
    /// The signal strength in dBm. Always 0, which means unknown.
    open var rssi: Int { 0 }
    /// The time at which the beacon was observed. Always `Date.distantPast`.
    open var timestamp: Date { .distantPast }

    /// Creates a beacon whose properties are zero or unknown.
    public override init() {}

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because there are no stored values.
    open func encode(with coder: NSCoder) {}

    /// Creates a beacon whose properties are zero or unknown.
    public required init?(coder: NSCoder) {}
}

extension UUID {
    /// The UUID of zeros, which stands for an unknown UUID.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
