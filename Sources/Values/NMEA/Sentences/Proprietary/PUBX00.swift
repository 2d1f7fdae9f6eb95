// SPDX-License-Identifier: MIT
public import GNSS

/// u-blox: a complete fix in one sentence.
///
///     $PUBX,00,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x.x,cc,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,xx,x,x*hh
///     $PUBX,00,101520.00,4812.5,N,01622.42,E,214.533,G3,2.1,3.0,0.018,77.52,-0.007,,0.92,1.19,0.77,9,0,0*41
public struct PUBX00: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PUBX,00"
    /// All fields except the last one are required.
    public static let minimumFieldCount = 18

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The altitude in metres above the ellipsoid.
    public var ellipsoidalAltitude: Double?
    /// The status: `NF` no fix, `DR` dead reckoning, `G2` and `G3` satellites without corrections
    /// in two and three dimensions, `D2` and `D3` satellites with corrections, `RK` satellites and
    /// dead reckoning, `TT` time only.
    public var status: String?
    /// The horizontal accuracy in metres.
    public var horizontalAccuracy: Double?
    /// The vertical accuracy in metres.
    public var verticalAccuracy: Double?
    /// The speed over ground in kilometres per hour.
    public var speedKilometresPerHour: Double?
    /// The course over ground in degrees true.
    public var course: Double?
    /// The vertical velocity in metres per second; positive *down*.
    public var descentRate: Double?
    /// The time since the last correction, in seconds.
    public var correctionAge: Double?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The vertical dilution of precision.
    public var vdop: Double?
    /// The time dilution of precision.
    public var tdop: Double?
    /// The number of satellites used.
    public var satellites: Int?
    /// 1 if dead reckoning is used, otherwise 0.
    public var usesDeadReckoning: Int?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.decimal(&ellipsoidalAltitude, decimals: 3)
        coder.text(&status)
        coder.decimal(&horizontalAccuracy, in: 0...1e9)
        coder.decimal(&verticalAccuracy, in: 0...1e9)
        coder.decimal(&speedKilometresPerHour, in: 0...36_000, decimals: 3)
        coder.course(&course)
        coder.decimal(&descentRate, decimals: 3)
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.dilution(&hdop)
        coder.dilution(&vdop)
        coder.dilution(&tdop)
        coder.integer(&satellites)
        coder.reserved("0")
        coder.integer(&usesDeadReckoning)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets the values of the fix. If the status reports no fix, sets only the number of satellites
    /// and the DOPs.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.satellitesUsed, satellites)
        epoch.fill(\.dilution.hdop, hdop)
        epoch.fill(\.dilution.vdop, vdop)
        switch status {
        case "NF", "TT": return epoch.reportNoFix()
        case "G2": support(.twoD, .autonomous, &epoch)
        case "G3", "RK": support(.threeD, .autonomous, &epoch)
        case "D2": support(.twoD, .differential, &epoch)
        case "D3": support(.threeD, .differential, &epoch)
        case "DR": support(.twoD, .estimated, &epoch)
        default: return
        }
    }

    private func support(_ mode: FixMode, _ quality: FixQuality, _ epoch: inout Epoch) {
        epoch.reportFix(mode)
        epoch.fill(unmarked: quality)
        epoch.fill(\.coordinate, coordinate)
        epoch.fill(\.ellipsoidalAltitude, ellipsoidalAltitude)
        epoch.replace(\.speed, Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour))
        epoch.replace(\.course, course)
        epoch.fill(\.climb, descentRate.map { -$0 })
        epoch.fill(\.correctionAge, correctionAge)
        epoch.fill(\.receiverAccuracy.horizontal, horizontalAccuracy)
        epoch.fill(\.receiverAccuracy.vertical, verticalAccuracy)
    }
}
