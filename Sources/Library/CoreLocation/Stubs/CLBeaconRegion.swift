// SPDX-License-Identifier: MIT
import Synchronization

// Safety: adds an immutable object and a value under a lock.
/// The area around beacons. It cannot be monitored on Linux.
nonisolated open class CLBeaconRegion: CLRegion, @unchecked Sendable {
    /// The selection of the region's beacons.
    open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }
    private let constraint: CLBeaconIdentityConstraint
    private let notifiesOnDisplay = Mutex(false)

    /// Has no effect on Linux. Default: `false`.
    open var notifyEntryStateOnDisplay: Bool {
        get { notifiesOnDisplay.withLock { $0 } }
        set { notifiesOnDisplay.withLock { $0 = newValue } }
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
