// SPDX-License-Identifier: MIT

// Safety: has no stored values.
/// A floor of a building. Receivers do not report floors, so `CLLocation.floor` is always `nil`.
nonisolated open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The floor's number. Always 0, the ground floor, unless a subclass overrides it.
    open var level: Int { 0 }

    /// Creates the ground floor.
    public override init() {}

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because there are no stored values.
    open func encode(with coder: NSCoder) {}

    /// Creates the ground floor.
    public required init?(coder: NSCoder) {}
}
