// SPDX-License-Identifier: MIT
import Synchronization

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

// Safety: immutable.
/// A selection of beacons. It has no effect on Linux.
nonisolated open class CLBeaconIdentityCondition: NSObject, NSCopying, NSSecureCoding,
    @unchecked Sendable
{
    /// The UUID that all selected beacons send.
    open var uuid: UUID { condition.uuid }
    private let condition: CLMonitor.BeaconIdentityCondition

    /// The number of a group of beacons with the same UUID; `nil` for all groups.
    open var major: CLBeaconMajorValue? { condition.major }
    /// The number of a beacon in the group; `nil` for all beacons of the group.
    open var minor: CLBeaconMinorValue? { condition.minor }

    /// Creates a selection of all beacons with a UUID.
    public init(uuid: UUID) {
        condition = CLMonitor.BeaconIdentityCondition(uuid: uuid)
    }

    /// Creates a selection of the beacons with a UUID and a group number.
    public init(uuid: UUID, major: CLBeaconMajorValue) {
        condition = CLMonitor.BeaconIdentityCondition(uuid: uuid, major: major)
    }

    /// Creates a selection of one beacon by its UUID, group number and number in the group.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        condition = CLMonitor.BeaconIdentityCondition(uuid: uuid, major: major, minor: minor)
    }

    /// Returns whether another object selects the same beacons.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLBeaconIdentityCondition else { return false }
        return uuid == other.uuid && major == other.major && minor == other.minor
    }

    /// A hash of the UUID.
    open override var hash: Int { uuid.hashValue }

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values.
    open func encode(with coder: NSCoder) {
        coder.encode(uuid.uuidString as NSString, forKey: "kCLBeaconIdentityCodingKeyUUID")
        if let major {
            coder.encode(Int(major), forKey: "kCLBeaconIdentityCodingKeyMajor")
        }
        if let minor {
            coder.encode(Int(minor), forKey: "kCLBeaconIdentityCodingKeyMinor")
        }
    }

    /// Reads the values that `encode(with:)` wrote. Returns `nil` if the archive contains no UUID.
    public required init?(coder: NSCoder) {
        guard
            let text = coder.decodeObject(
                of: NSString.self, forKey: "kCLBeaconIdentityCodingKeyUUID"),
            let uuid = UUID(uuidString: text as String)
        else { return nil }
        func value(_ key: String) -> UInt16? {
            coder.containsValue(forKey: key)
                ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
        }
        condition = CLMonitor.BeaconIdentityCondition(
            uuid: uuid, anyMajor: value("kCLBeaconIdentityCodingKeyMajor"),
            anyMinor: value("kCLBeaconIdentityCodingKeyMinor"))
    }
}

// Safety: adds no values.
/// A selection of beacons for ranging, which is not supported on Linux.
nonisolated open class CLBeaconIdentityConstraint: CLBeaconIdentityCondition, @unchecked Sendable {}

// Safety: adds an immutable object and an atomic value.
/// The area around beacons. It cannot be monitored on Linux.
nonisolated open class CLBeaconRegion: CLRegion, @unchecked Sendable {
    /// The selection of the region's beacons.
    open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }
    private let constraint: CLBeaconIdentityConstraint
    private let notifiesOnDisplay = Atomic(false)

    /// Has no effect on Linux. Default: `false`.
    open var notifyEntryStateOnDisplay: Bool {
        get { notifiesOnDisplay.load(ordering: .relaxed) }
        set { notifiesOnDisplay.store(newValue, ordering: .relaxed) }
    }

    /// The UUID that all of the region's beacons send.
    open var uuid: UUID { constraint.uuid }
    /// The same as `uuid`.
    open var proximityUUID: UUID { constraint.uuid }
    /// The number of a group of beacons with the same UUID; `nil` for all groups.
    open var major: NSNumber? { constraint.major.map { NSNumber(value: $0) } }
    /// The number of a beacon in the group; `nil` for all beacons of the group.
    open var minor: NSNumber? { constraint.minor.map { NSNumber(value: $0) } }

    /// Creates a region with an empty name. The UUID of its beacons is all zeros.
    public override init() {
        constraint = CLBeaconIdentityConstraint(uuid: .zero)
        super.init()
    }

    /// Creates a region for a selection of beacons. `identifier` is the region's name.
    public init(
        beaconIdentityConstraint constraint: CLBeaconIdentityConstraint, identifier: String
    ) {
        self.constraint = constraint
        super.init(identifier: identifier)
    }

    /// Creates a region for all beacons with a UUID. `identifier` is the region's name.
    public convenience init(uuid: UUID, identifier: String) {
        self.init(
            beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid), identifier: identifier
        )
    }

    /// Creates a region for the beacons with a UUID and a group number. `identifier` is the
    /// region's name.
    public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(
            beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid, major: major),
            identifier: identifier)
    }

    /// Creates a region for one beacon, selected by UUID, group number and number in the group.
    /// `identifier` is the region's name.
    public convenience init(
        uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
    ) {
        self.init(
            beaconIdentityConstraint: CLBeaconIdentityConstraint(
                uuid: uuid, major: major, minor: minor), identifier: identifier)
    }

    /// The same as `init(uuid:identifier:)`.
    public convenience init(proximityUUID: UUID, identifier: String) {
        self.init(uuid: proximityUUID, identifier: identifier)
    }

    /// The same as `init(uuid:major:identifier:)`.
    public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(uuid: proximityUUID, major: major, identifier: identifier)
    }

    /// The same as `init(uuid:major:minor:identifier:)`.
    public convenience init(
        proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue,
        identifier: String
    ) {
        self.init(uuid: proximityUUID, major: major, minor: minor, identifier: identifier)
    }

    /// Returns an empty dictionary, because Linux cannot act as a beacon.
    open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
        NSMutableDictionary()
    }

    /// Returns a new region with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: identifier)
        copy.setNotifications(of: self)
        copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
        return copy
    }

    /// Writes all values.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        constraint.encode(with: coder)
        coder.encode(notifyEntryStateOnDisplay, forKey: Self.notifiesOnDisplayKey)
    }

    /// Reads the values that `encode(with:)` wrote. Returns `nil` if the archive does not contain
    /// both the region's name and the beacons' UUID.
    public required init?(coder: NSCoder) {
        guard let constraint = CLBeaconIdentityConstraint(coder: coder) else { return nil }
        self.constraint = constraint
        super.init(coder: coder)
        if coder.containsValue(forKey: Self.notifiesOnDisplayKey) {
            notifyEntryStateOnDisplay = coder.decodeBool(forKey: Self.notifiesOnDisplayKey)
        }
    }

    private static let notifiesOnDisplayKey = "kCLBeaconRegionCodingKeyNotifyEntryStateOnDisplay"
}
