// SPDX-License-Identifier: MIT

// Safety: immutable.
/// The kind of source from which a location comes: a receiver, a simulation or a recording.
nonisolated open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding,
    @unchecked Sendable
{
    private let values: LocationOrigin

    init(_ origin: LocationOrigin) {
        values = origin
    }

    /// Creates source information whose values are `false`.
    public override init() {
        values = LocationOrigin(isSimulated: false, isFromAccessory: false)
    }

    /// Creates source information from the values of `isSimulatedBySoftware` and
    /// `isProducedByAccessory`.
    public init(
        softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
    ) {
        values = LocationOrigin(isSimulated: isSoftware, isFromAccessory: isAccessory)
    }

    /// Whether the location is simulated or replayed from a recording.
    open var isSimulatedBySoftware: Bool { values.isSimulated }

    /// Whether the location comes from a receiver that is plugged in.
    open var isProducedByAccessory: Bool { values.isFromAccessory }

    var origin: LocationOrigin {
        LocationOrigin(isSimulated: isSimulatedBySoftware, isFromAccessory: isProducedByAccessory)
    }

    /// Returns whether another object is source information with the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLLocationSourceInformation)?.origin == origin
    }

    /// A hash of the values.
    open override var hash: Int { values.hashValue }

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes both values.
    open func encode(with coder: NSCoder) {
        origin.encode(with: coder)
    }

    /// Reads the values that `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        values = LocationOrigin(coder: coder)
    }
}
