// SPDX-License-Identifier: MIT

// Safety: immutable.
/// A floor of a building. Satellite receivers do not report it: `CLLocation.floor` is always `nil`.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The floor's number; 0 is the ground floor.
    open var level: Int { 0 }

    /// Creates the ground floor.
    public override init() {}

    /// Returns itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Creates the ground floor.
    public required init?(coder: NSCoder) {}
}
