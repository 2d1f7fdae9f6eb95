// SPDX-License-Identifier: MIT

// Safety: immutable.
/// Whether a location comes from a receiver, a simulation or a recording.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let values: LocationOrigin

    init(_ origin: LocationOrigin) {
        values = origin
    }

    /// Creates source information.
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

    /// Whether other source information has the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLLocationSourceInformation)?.origin == origin
    }

    /// A hash of the values.
    open override var hash: Int { values.hashValue }

    /// Returns itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes both values.
    open func encode(with coder: NSCoder) {
        origin.encode(with: coder)
    }

    /// Reads the output of `encode(with:)`.
    public required init?(coder: NSCoder) {
        values = LocationOrigin(coder: coder)
    }
}
