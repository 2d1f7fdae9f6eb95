// SPDX-License-Identifier: MIT
public import GNSS

/// Garmin: altitude in feet.
///
///     $PGRMZ,x,f,x*hh
///     $PGRMZ,562,f,3*1A
public struct PGRMZ: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRMZ"
    /// The altitude.
    public static let minimumFieldCount = 2

    /// Feet above mean sea level.
    public var altitudeFeet: Double?
    /// What the receiver names its fix.
    public var fix: FixMode?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&altitudeFeet, decimals: 0, unit: "f")
        coder.integer(&fix)
    }

    /// The altitude. Measured, it replaces GGA's, which came before it; with two dimensions it is
    /// one from earlier, and only fills in.
    public func contribute(to epoch: inout Epoch) {
        let altitude = altitudeFeet.map { $0 * 0.3048 }
        if fix == .threeD || epoch.fix.altitude == nil { epoch.replace(\.altitude, altitude) }
    }
}
