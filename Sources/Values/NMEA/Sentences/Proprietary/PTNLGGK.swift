// SPDX-License-Identifier: MIT
public import GNSS

/// Trimble: a fix with its date and the ellipsoidal height.
///
///     $PTNL,GGK,hhmmss.ss,mmddyy,ddmm.mm,a,dddmm.mm,a,x,xx,x.x,EHTx.x,M*hh
///     $PTNL,GGK,101520.00,032126,4812.50000000,N,01622.42000000,E,3,14,1.1,EHT214.533,M*70
public struct PTNLGGK: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PTNL,GGK"
    /// All fields up to the number of satellites are required.
    public static let minimumFieldCount = 8

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The UTC date.
    public var date: CalendarDate?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The quality: 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed, 4 differential, 5 SBAS. Larger
    /// numbers are solutions with corrections from a network or from RTX.
    public var qualityCode: Int?
    /// The number of satellites used.
    public var satellites: Int?
    /// The dilution of precision. Its kind depends on the receiver.
    public var dop: Double?
    /// The height in metres above the ellipsoid.
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

    /// The quality of the fix; `nil` if it is missing. Network and RTX solutions count as
    /// differential.
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

    /// Sets position, height, quality and date.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.satellitesUsed, satellites)
        guard let quality else { return }
        epoch.fill(date: time == nil ? nil : date, isTrusted: quality != .invalid)
        guard quality != .invalid else { return epoch.reportNoFix() }
        epoch.fill(\.coordinate, coordinate)
        epoch.fill(\.ellipsoidalAltitude, ellipsoidalAltitude)
        epoch.reportFix(ellipsoidalAltitude != nil && satellites ?? 0 >= 4 ? .threeD : .twoD)
        epoch.fill(unmarked: quality)
    }
}
