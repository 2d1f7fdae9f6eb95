// SPDX-License-Identifier: MIT

// Safety: immutable.
/// Whether a location comes from a receiver, a simulation or a recording.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let isSimulated: Bool
    private let isFromAccessory: Bool

    init(_ origin: LocationOrigin) {
        isSimulated = origin.isSimulated
        isFromAccessory = origin.isFromAccessory
    }

    /// Creates source information.
    public init(
        softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
    ) {
        isSimulated = isSoftware
        isFromAccessory = isAccessory
    }

    /// Whether the location is simulated or replayed from a recording.
    open var isSimulatedBySoftware: Bool { isSimulated }

    /// Whether the location comes from a receiver that is plugged in.
    open var isProducedByAccessory: Bool { isFromAccessory }

    var origin: LocationOrigin {
        LocationOrigin(isSimulated: isSimulatedBySoftware, isFromAccessory: isProducedByAccessory)
    }

    /// Whether other source information has the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLLocationSourceInformation)?.origin == origin
    }

    /// Equal for equal source information.
    open override var hash: Int { (isSimulated ? 2 : 0) + (isFromAccessory ? 1 : 0) }

    /// Returns itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes both values.
    open func encode(with coder: NSCoder) {
        coder.encode(isSimulatedBySoftware, forKey: "isSimulatedBySoftware")
        coder.encode(isProducedByAccessory, forKey: "isProducedByAccessory")
    }

    /// Reads what `encode(with:)` has written.
    public required init?(coder: NSCoder) {
        isSimulated = coder.decodeBool(forKey: "isSimulatedBySoftware")
        isFromAccessory = coder.decodeBool(forKey: "isProducedByAccessory")
    }
}
