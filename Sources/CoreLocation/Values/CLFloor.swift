// SPDX-License-Identifier: MIT

// Safety: immutable.
/// A storey of a building, which no satellite receiver knows: `CLLocation.floor` is always `nil`.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The storey; 0 is the ground floor.
    open var level: Int { 0 }

    /// Creates the ground floor.
    public override init() {}

    /// Returns itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Creates the ground floor.
    public required init?(coder: NSCoder) {}
}
