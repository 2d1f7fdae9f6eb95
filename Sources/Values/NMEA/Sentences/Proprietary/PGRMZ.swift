// SPDX-License-Identifier: MIT
public import GNSS

/// Garmin: altitude in feet.
///
///     $PGRMZ,x,f,x*hh
///     $PGRMZ,562,f,3*1A
public struct PGRMZ: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRMZ"
    /// The altitude is required.
    public static let minimumFieldCount = 2

    /// The altitude in feet above mean sea level.
    public var altitudeFeet: Double?
    /// The dimensions that the receiver reports.
    public var fix: FixMode?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&altitudeFeet, decimals: 0, unit: "f")
        coder.integer(&fix)
    }

    /// Sets the altitude if no other sentence does. The altitude in GGA always has priority:
    /// Garmin's handhelds send the same altitude here with a lower resolution, and traffic
    /// receivers in aircraft send the pressure altitude.
    public func contribute(to epoch: inout Epoch) {
        let altitude = altitudeFeet.map { $0 * 0.3048 }
        if epoch.fix.altitude == nil { epoch.fill(\.altitude, altitude) }
    }
}
