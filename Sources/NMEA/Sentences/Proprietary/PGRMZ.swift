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
    /// The dimensions that the receiver reports.
    public var fix: FixMode?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&altitudeFeet, decimals: 0, unit: "f")
        coder.integer(&fix)
    }

    /// Contributes the altitude. A measured one (3D) replaces GGA's, which came before; with two
    /// dimensions it is an old one and only fills a missing value.
    public func contribute(to epoch: inout Epoch) {
        let altitude = altitudeFeet.map { $0 * 0.3048 }
        if fix == .threeD || epoch.fix.altitude == nil { epoch.replace(\.altitude, altitude) }
    }
}
