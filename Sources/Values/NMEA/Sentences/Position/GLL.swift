// SPDX-License-Identifier: MIT
public import GNSS

/// Position.
///
///     $--GLL,ddmm.mm,a,dddmm.mm,a,hhmmss.ss,A,a*hh
///     $GNGLL,4812.50000,N,01622.42000,E,101520.00,A,D*7E
public struct GLL: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GLL"
    /// Latitude, N or S, longitude, and E or W are required.
    public static let minimumFieldCount = 4

    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The UTC time of the fix (NMEA 2.0).
    public var time: TimeOfDay?
    /// The status: `A` valid, `V` not valid (NMEA 2.0). A position without a status does not count
    /// as a fix.
    public var status: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.coordinate(&coordinate)
        coder.time(&time)
        coder.letter(&status)
        coder.mode(&mode)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets the position if the sentence is valid. Without a time, it does not replace the position
    /// of a sentence with a time, because it may belong to the next fix and is often rounded.
    public func contribute(to epoch: inout Epoch) {
        guard let status else { return }
        guard status == UInt8(ascii: "A"), mode != .invalid else { return epoch.reportNoFix() }
        epoch.reportFix()
        let isOfEpoch = time != nil || epoch.fix.timeOfDay == nil
        if isOfEpoch || epoch.fix.coordinate == nil { epoch.fill(\.coordinate, coordinate) }
        epoch.fill(quality: mode)
    }
}
