// SPDX-License-Identifier: MIT

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
