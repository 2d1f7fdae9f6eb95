// SPDX-License-Identifier: MIT

// Safety: immutable.
/// Which beacons are meant. Without effect on Linux.
open class CLBeaconIdentityCondition: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The beacons' identifier.
    public let uuid: UUID
    private let majorValue: CLBeaconMajorValue?
    private let minorValue: CLBeaconMinorValue?

    /// The number of their group; `nil` for all.
    open var major: NSNumber? { majorValue.map { NSNumber(value: $0) } }
    /// The number of one in the group; `nil` for all.
    open var minor: NSNumber? { minorValue.map { NSNumber(value: $0) } }

    /// All beacons with that identifier.
    public init(uuid: UUID) {
        self.uuid = uuid
        (majorValue, minorValue) = (nil, nil)
    }

    /// A group of them.
    public init(uuid: UUID, major: CLBeaconMajorValue) {
        self.uuid = uuid
        (majorValue, minorValue) = (major, nil)
    }

    /// One of them.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        self.uuid = uuid
        (majorValue, minorValue) = (major, minor)
    }

    /// Whether others mean the same beacons.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLBeaconIdentityCondition else { return false }
        return uuid == other.uuid && majorValue == other.majorValue
            && minorValue == other.minorValue
    }

    /// Equal for those that mean the same beacons.
    open override var hash: Int { uuid.hashValue }

    /// Returns itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values.
    open func encode(with coder: NSCoder) {
        coder.encode(uuid.uuidString as NSString, forKey: "kCLBeaconIdentityCodingKeyUUID")
        if let majorValue {
            coder.encode(Int(majorValue), forKey: "kCLBeaconIdentityCodingKeyMajor")
        }
        if let minorValue {
            coder.encode(Int(minorValue), forKey: "kCLBeaconIdentityCodingKeyMinor")
        }
    }

    /// Reads what `encode(with:)` has written; `nil` without an identifier.
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
        self.uuid = uuid
        (majorValue, minorValue) = (
            value("kCLBeaconIdentityCodingKeyMajor"), value("kCLBeaconIdentityCodingKeyMinor")
        )
    }
}

// Safety: immutable.
/// Which beacons are meant. Without effect on Linux.
open class CLBeaconIdentityConstraint: CLBeaconIdentityCondition, @unchecked Sendable {}
