// SPDX-License-Identifier: MIT
public import GNSS

/// Position.
///
///     $--GLL,ddmm.mm,a,dddmm.mm,a,hhmmss.ss,A,a*hh
///     $GNGLL,4812.50000,N,01622.42000,E,101520.00,A,D*7E
public struct GLL: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GLL"
    /// The position.
    public static let minimumFieldCount = 4

    /// Degrees.
    public var coordinate: Coordinate?
    /// UTC of the fix; NMEA 2.0.
    public var time: TimeOfDay?
    /// `A` valid, `V` not; NMEA 2.0. Without it the position is unverified and no fix.
    public var status: UInt8?
    /// NMEA 2.3: the source of the position.
    public var mode: FixQuality?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.coordinate(&coordinate)
        coder.time(&time)
        coder.letter(&status)
        coder.mode(&mode)
    }

    public var timing: EpochTiming { .opens(time) }

    /// The position, if it is verified.
    public func contribute(to epoch: inout Epoch) {
        guard let status else { return }
        guard status == UInt8(ascii: "A"), mode != .invalid else { return epoch.reportNoFix() }
        epoch.reportFix()
        epoch.fill(quality: mode)
        epoch.fill(\.coordinate, coordinate)
    }
}
