// SPDX-License-Identifier: MIT
public import GNSS

/// Trimble: a fix with its date and the ellipsoidal height.
///
///     $PTNL,GGK,hhmmss.ss,mmddyy,ddmm.mm,a,dddmm.mm,a,x,xx,x.x,EHTx.x,M*hh
///     $PTNL,GGK,101520.00,032126,4812.50000000,N,01622.42000000,E,3,14,1.1,EHT214.533,M*70
public struct PTNLGGK: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PTNL,GGK"
    /// Up to the quality.
    public static let minimumFieldCount = 8

    /// UTC of the fix.
    public var time: TimeOfDay?
    /// The UTC date.
    public var date: CalendarDate?
    /// Degrees.
    public var coordinate: Coordinate?
    /// 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed, 4 differential, 5 SBAS; above these, network
    /// and RTX solutions.
    public var qualityCode: Int?
    /// Satellites used.
    public var satellites: Int?
    /// Dilution of precision; which one depends on the receiver.
    public var dop: Double?
    /// Metres above the ellipsoid.
    public var ellipsoidalAltitude: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.monthFirstDate(&date)
        coder.coordinate(&coordinate)
        coder.integer(&qualityCode)
        coder.integer(&satellites, width: 2)
        coder.dilution(&dop)
        coder.decimal(&ellipsoidalAltitude, after: "EHT", decimals: 3)
        coder.reserved("M")
    }

    public var timing: EpochTiming { .opens(time) }

    /// The source of the position; network and RTX solutions count as differential.
    public var quality: FixQuality? {
        switch qualityCode {
        case nil: nil
        case 0: .invalid
        case 1: .autonomous
        case 2: .rtkFloat
        case 3: .rtkFixed
        default: .differential
        }
    }

    /// Position, height, quality, and the date.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.satellitesUsed, satellites)
        guard let quality else { return }
        epoch.fill(date: time == nil ? nil : date, isTrusted: quality != .invalid)
        guard quality != .invalid else { return epoch.reportNoFix() }
        epoch.fill(\.coordinate, coordinate)
        epoch.fill(\.ellipsoidalAltitude, ellipsoidalAltitude)
        epoch.reportFix(ellipsoidalAltitude != nil && satellites ?? 0 >= 4 ? .threeD : .twoD)
        epoch.fill(quality: quality)
    }
}
