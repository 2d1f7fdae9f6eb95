// SPDX-License-Identifier: MIT
package import GNSS

/// Attitude: heading, roll and pitch. Defined by Ashtech; receivers of other manufacturers send it,
/// too.
///
/// This type reads only sentences with a time in the first field. `PASHR,POS` and others have a
/// different meaning and are not decoded.
///
///     $PASHR,hhmmss.ss,x.x,T,x.x,x.x,x.x,x.x,x.x,x.x,x,x*hh
///     $PASHR,101520.00,305.30,T,-0.05,1.13,0.02,0.066,0.067,0.215,2,1*0F
package struct PASHR: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PASHR"

    /// The UTC time.
    package var time: TimeOfDay?
    /// The heading in degrees true.
    package var heading: Double?
    /// The roll in degrees; positive to starboard.
    package var roll: Double?
    /// The pitch in degrees; positive if the bow is up.
    package var pitch: Double?
    /// The heave in metres.
    private var heave: Double?
    /// The one-sigma error of the roll in degrees.
    package var rollError: Double?
    /// The one-sigma error of the pitch in degrees.
    package var pitchError: Double?
    /// The one-sigma error of the heading in degrees.
    package var headingError: Double?
    /// The quality of the fix: 0 no fix, 1 without RTK, 2 with RTK.
    package var quality: Int?
    /// The state of the inertial unit, as a number defined by the receiver.
    package var inertialStatus: Int?

    package init() {}

    package init(_ fields: inout FieldReader) throws(NMEAError) {
        self.fields(&fields)
        guard time != nil else { throw .otherSentence(address: fields.address.description) }
    }

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.bearing(&heading, unit: "T")
        coder.decimal(&roll, decimals: 2)
        coder.decimal(&pitch, decimals: 2)
        coder.decimal(&heave, decimals: 2)
        coder.decimal(&rollError, in: 0...1e9, decimals: 3)
        coder.decimal(&pitchError, in: 0...1e9, decimals: 3)
        coder.decimal(&headingError, in: 0...1e9, decimals: 3)
        coder.integer(&quality)
        coder.integer(&inertialStatus)
    }

    /// The sentence belongs to the fix with the same time. Many inertial units send it more often
    /// than there are fixes. Until a satellite receiver is found on the line, the time is ignored.
    package var timing: EpochTiming { .attaches(time) }

    package func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
        epoch.fill(\.attitude.headingAccuracy, heading == nil ? nil : headingError)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
        epoch.fill(\.attitude.heave, heave)
    }
}

/// Garmin: the receiver's estimate of its position error.
///
/// Garmin does not document the probability of these values; they are commonly interpreted as 50 %.
///
///     $PGRME,x.x,M,x.x,M,x.x,M*hh
///     $PGRME,4.2,M,6.3,M,7.6,M*2C
package struct PGRME: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PGRME"
    /// The horizontal error is required.
    package static let minimumFieldCount = 2

    /// The horizontal error in metres. Half of all positions are within this distance.
    package var horizontalError: Double?
    /// The vertical error in metres. Half of all altitudes are within this distance.
    package var verticalError: Double?
    /// The spherical error in metres. Half of all three-dimensional positions are within this
    /// distance.
    package var sphericalError: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&horizontalError, in: 0...1e9, unit: "M")
        coder.decimal(&verticalError, in: 0...1e9, unit: "M")
        coder.decimal(&sphericalError, in: 0...1e9, unit: "M")
    }

    /// The factor that converts a horizontal 50 % error to 68 %, for a normal distribution.
    private static let planeFactor = 1.29
    /// The factor that converts a vertical 50 % error to 68 %, for a normal distribution.
    private static let heightFactor = 1.48

    package func contribute(to epoch: inout Epoch) {
        epoch.fill(\.receiverAccuracy.horizontal, horizontalError.map { $0 * Self.planeFactor })
        epoch.fill(\.receiverAccuracy.vertical, verticalError.map { $0 * Self.heightFactor })
    }
}

/// The datum of the positions, from Garmin.
///
///     $PGRMM,c--c*hh
///     $PGRMM,WGS 84*06
package struct PGRMM: DatumSentence, Hashable {
    package static let formatter: SentenceFormatter = "PGRMM"

    /// The name of the datum, as Garmin spells it.
    package var datum: String?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&datum)
    }

    package var datumName: String? { datum }

    /// The name of the datum if it is not WGS 84; `nil` otherwise.
    package var otherDatum: String? {
        datum.flatMap { $0.filter { $0 != " " }.uppercased() == "WGS84" ? nil : $0 }
    }
}

/// Garmin: velocity in three dimensions.
///
/// `gpsbridge-fleet read` also writes this sentence when it outputs fixes as NMEA, because no
/// standard sentence contains the climb rate.
///
///     $PGRMV,x.x,x.x,x.x*hh
///     $PGRMV,3.1,-4.0,0.2*75
package struct PGRMV: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PGRMV"
    /// All fields are required.
    package static let minimumFieldCount = 3

    /// The velocity to the east in metres per second.
    package var eastVelocity: Double?
    /// The velocity to the north in metres per second.
    package var northVelocity: Double?
    /// The vertical velocity in metres per second; positive *up*.
    package var upVelocity: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&eastVelocity, in: -10_000...10_000, decimals: 3)
        coder.decimal(&northVelocity, in: -10_000...10_000, decimals: 3)
        coder.decimal(&upVelocity, in: -10_000...10_000, decimals: 3)
    }

    /// Sets the climb rate. Speed and course are in RMC and VTG.
    package func contribute(to epoch: inout Epoch) {
        epoch.fill(\.climb, upVelocity)
    }
}

/// Garmin: altitude in feet.
///
///     $PGRMZ,x,f,x*hh
///     $PGRMZ,562,f,3*1A
package struct PGRMZ: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PGRMZ"
    /// The altitude is required.
    package static let minimumFieldCount = 2

    /// The altitude in feet above mean sea level.
    package var altitudeFeet: Double?
    /// The dimensions that the receiver reports.
    package var fix: FixMode?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&altitudeFeet, decimals: 0, unit: "f")
        coder.integer(&fix)
    }

    /// Sets the altitude if no other sentence does. The altitude in GGA always has priority:
    /// Garmin's handhelds send the same altitude here with a lower resolution, and traffic
    /// receivers in aircraft send the pressure altitude.
    package func contribute(to epoch: inout Epoch) {
        let altitude = altitudeFeet.map { $0 * 0.3048 }
        if epoch.fix.altitude == nil { epoch.fill(\.altitude, altitude) }
    }
}

/// MediaTek: the acknowledgement of a command.
///
///     $PMTK001,x,x*hh
///     $PMTK001,314,3*36
package struct PMTK001: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PMTK001"
    /// The command and the result are required.
    package static let minimumFieldCount = 2

    /// The result of a command.
    package enum Result: Int, Hashable, Sendable {
        /// The receiver does not understand the command.
        case invalid = 0
        /// The receiver knows the command, but does not support it.
        case unsupported = 1
        /// The command was valid, but failed.
        case failed = 2
        /// The receiver executed the command.
        case done = 3
    }

    package var command: Int?
    /// The result of the command.
    package var result: Result?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&command)
        coder.integer(&result)
    }
}

/// Hemisphere: heading, pitch and roll.
///
///     $PSAT,HPR,hhmmss.ss,x.x,x.x,x.x,a*hh
///     $PSAT,HPR,101520.00,123.45,1.2,-0.5,N*0F
struct PSATHPR: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PSAT,HPR"
    /// The time and the heading are required.
    package static let minimumFieldCount = 2

    /// The UTC time.
    package var time: TimeOfDay?
    /// The heading in degrees true.
    private var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    private var pitch: Double?
    /// The roll in degrees; positive to starboard.
    private var roll: Double?
    /// The source of the heading: `N` from satellites, `G` from the gyroscope.
    package var source: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.decimal(&heading, in: 0...360, decimals: 2)
        coder.decimal(&pitch, in: -90...90, decimals: 2)
        coder.decimal(&roll, in: -180...180, decimals: 2)
        coder.letter(&source)
    }

    package var timing: EpochTiming { .attaches(time) }

    package func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }
}

/// Trimble: the attitude of the vector between two antennas.
///
///     $PTNL,AVR,hhmmss.ss,x.x,Yaw,x.x,Tilt,x.x,Roll,x.x,x,x.x,xx*hh
///     $PTNL,AVR,101520.00,+52.1531,Yaw,-0.0806,Tilt,,,12.575,3,1.4,16*3C
struct PTNLAVR: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PTNL,AVR"
    /// All fields up to the quality are required.
    package static let minimumFieldCount = 9

    /// The UTC time.
    package var time: TimeOfDay?
    /// The heading in degrees true.
    private var heading: Double?
    /// The pitch in degrees; positive if the bow is up.
    private var pitch: Double?
    /// The roll in degrees; positive to starboard.
    private var roll: Double?
    /// The distance between the antennas in metres.
    package var range: Double?
    /// The quality: 0 no solution, 1 autonomous, 2 RTK float, 3 RTK fixed, 4 differential.
    package var quality: Int?
    /// The position dilution of precision.
    private var pdop: Double?
    package var satellites: Int?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.decimal(&heading, in: -360...360, decimals: 4)
        coder.reserved("Yaw")
        coder.decimal(&pitch, in: -90...90, decimals: 4)
        coder.reserved("Tilt")
        coder.decimal(&roll, in: -180...180, decimals: 4)
        coder.reserved(roll == nil ? "" : "Roll")
        coder.decimal(&range, in: 0...1e6, decimals: 3)
        coder.integer(&quality)
        coder.dilution(&pdop)
        coder.integer(&satellites, width: 2)
    }

    package var timing: EpochTiming { .attaches(time) }

    package func contribute(to epoch: inout Epoch) {
        guard quality != 0 else { return }
        epoch.fill(trueHeading: heading?.wrappedDegrees)
        epoch.fill(\.attitude.pitch, pitch)
        epoch.fill(\.attitude.roll, roll)
    }
}

/// Trimble: a fix with its date and the ellipsoidal height.
///
///     $PTNL,GGK,hhmmss.ss,mmddyy,ddmm.mm,a,dddmm.mm,a,x,xx,x.x,EHTx.x,M*hh
///     $PTNL,GGK,101520.00,032126,4812.50000000,N,01622.42000000,E,3,14,1.1,EHT214.533,M*70
package struct PTNLGGK: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PTNL,GGK"
    /// All fields up to the number of satellites are required.
    package static let minimumFieldCount = 8

    /// The UTC time of the fix.
    package var time: TimeOfDay?
    /// The UTC date.
    package var date: CalendarDate?
    /// The position, in degrees.
    package var coordinate: Coordinate?
    /// The quality: 0 none, 1 autonomous, 2 RTK float, 3 RTK fixed, 4 differential, 5 SBAS. Larger
    /// numbers are solutions with corrections from a network or from RTX.
    package var qualityCode: Int?
    package var satellites: Int?
    /// The dilution of precision. Its kind depends on the receiver.
    package var dop: Double?
    /// The height in metres above the ellipsoid.
    package var ellipsoidalAltitude: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.monthFirstDate(&date)
        coder.coordinate(&coordinate)
        coder.integer(&qualityCode)
        coder.integer(&satellites, width: 2)
        coder.dilution(&dop)
        coder.decimal(&ellipsoidalAltitude, after: "EHT", decimals: 3)
        coder.reserved("M")
    }

    package var timing: EpochTiming { .opens(time) }

    /// The quality of the fix; `nil` if it is missing. Network and RTX solutions count as
    /// differential.
    package var quality: FixQuality? {
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
    package func contribute(to epoch: inout Epoch) {
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

/// u-blox: a complete fix in one sentence.
///
///     $PUBX,00,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x.x,cc,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,xx,x,x*hh
///     $PUBX,00,101520.00,4812.5,N,01622.42,E,214.533,G3,2.1,3.0,0.018,77.52,-0.007,,0.92,1.19,0.77,9,0,0*41
package struct PUBX00: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PUBX,00"
    /// All fields except the last one are required.
    package static let minimumFieldCount = 18

    /// The UTC time of the fix.
    package var time: TimeOfDay?
    /// The position, in degrees.
    package var coordinate: Coordinate?
    /// The altitude in metres above the ellipsoid.
    package var ellipsoidalAltitude: Double?
    /// The status: `NF` no fix, `DR` dead reckoning, `G2` and `G3` satellites without corrections
    /// in two and three dimensions, `D2` and `D3` satellites with corrections, `RK` satellites and
    /// dead reckoning, `TT` time only.
    package var status: String?
    /// The horizontal accuracy in metres.
    package var horizontalAccuracy: Double?
    /// The vertical accuracy in metres.
    package var verticalAccuracy: Double?
    /// The speed over ground in kilometres per hour.
    package var speedKilometresPerHour: Double?
    /// The course over ground in degrees true.
    package var course: Double?
    /// The vertical velocity in metres per second; positive *down*.
    package var descentRate: Double?
    /// The time since the last correction, in seconds.
    package var correctionAge: Double?
    /// The horizontal dilution of precision.
    package var hdop: Double?
    /// The vertical dilution of precision.
    package var vdop: Double?
    /// The time dilution of precision.
    package var tdop: Double?
    package var satellites: Int?
    /// 1 if dead reckoning is used, otherwise 0.
    package var usesDeadReckoning: Int?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
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

    package var timing: EpochTiming { .opens(time) }

    /// Sets the values of the fix. If the status reports no fix, sets only the number of satellites
    /// and the DOPs.
    package func contribute(to epoch: inout Epoch) {
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

/// u-blox: all satellites, whether or not they are used.
///
///     $PUBX,03,xx,xx,a,xxx,xx,xx,xx,…*hh
///     $PUBX,03,3,05,U,286,62,44,64,211,e,103,41,,0,68,-,052,12,31,7*37
package struct PUBX03: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PUBX,03"

    /// One satellite in the list.
    package struct Entry: Hashable, Sendable {
        /// The number in u-blox's single-number scheme; see `SatelliteID.init(uBloxNumber:)`.
        package var number: Int
        /// The status: `-` not used, `U` used, `e` not used, but with known ephemeris.
        package var status: UInt8?
        /// The azimuth in degrees true.
        package var azimuth: Double?
        /// The elevation in degrees above the horizon.
        package var elevation: Double?
        /// The carrier-to-noise density in dB-Hz; `nil` if the satellite is not tracked.
        package var cn0: Double?
        /// The time since the signal was locked, in seconds. 64 means 64 or more.
        package var lockTime: Int?

        /// Creates an entry. Omit arguments whose values are unknown.
        package init(
            number: Int, status: UInt8? = nil, azimuth: Double? = nil, elevation: Double? = nil,
            cn0: Double? = nil, lockTime: Int? = nil
        ) {
            self.number = number
            self.status = status
            self.azimuth = azimuth
            self.elevation = elevation
            self.cn0 = cn0
            self.lockTime = lockTime
        }

        fileprivate mutating func fields(_ coder: inout some FieldCoder) {
            coder.field(&number, read: { $0.integer() ?? 0 }, write: { $0.integer($1, width: 2) })
            coder.letter(&status)
            coder.bearing(&azimuth, decimals: 0, width: 3)
            coder.decimal(&elevation, in: -90...90, decimals: 0, width: 2)
            coder.decimal(&cn0, in: 0...99, decimals: 0, width: 2)
            coder.integer(&lockTime, width: 3)
        }
    }

    /// The number of satellites in the list.
    package var count: Int?
    /// The satellites, in the order of the sentence.
    package var entries: [Entry] = []

    package init() {}

    package init(_ fields: inout FieldReader) throws(NMEAError) {
        entries = Array(repeating: Entry(number: 0), count: max(0, fields.count - 1) / 6)
        self.fields(&fields)
        entries.removeAll { $0.number == 0 }
    }

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&count, width: 2)
        for index in entries.indices { entries[index].fields(&coder) }
    }

    /// Sets the satellites used.
    package func contribute(to epoch: inout Epoch) {
        epoch.listUsed()
        for entry in entries where entry.status == UInt8(ascii: "U") {
            guard let id = SatelliteID(uBloxNumber: entry.number) else { continue }
            epoch.use(id)
        }
    }
}

/// u-blox: time, and the offset and drift of the receiver's clock.
///
///     $PUBX,04,hhmmss.ss,ddmmyy,x.x,x,xxA,x.x,x.x,x*hh
///     $PUBX,04,101520.00,210326,555338.00,2410,18D,495176,-12.340,21*4F
package struct PUBX04: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "PUBX,04"
    /// All fields up to the leap seconds are required.
    package static let minimumFieldCount = 5

    /// The UTC time.
    package var time: TimeOfDay?
    /// The date. It is not used for fixes.
    package var date: CalendarDate?
    /// The UTC time of week in seconds.
    package var timeOfWeek: Double?
    /// The GPS week, counted without rollovers.
    package var week: Int?
    /// The difference between GPS time and UTC, in seconds.
    package var leapSeconds: Int?
    /// Whether the leap seconds are the default of the firmware, because none have been received
    /// yet.
    package var isLeapSecondsAssumed: Bool = false
    /// The offset of the receiver's clock in nanoseconds.
    package var clockBias: Double?
    /// The drift of the receiver's clock in nanoseconds per second.
    package var clockDrift: Double?
    /// The granularity of the time pulse in nanoseconds.
    package var pulseGranularity: Double?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.date(&date)
        coder.decimal(&timeOfWeek, decimals: 2)
        coder.integer(&week)
        coder.field(&leap) {
            Self.leap(&$0)
        } write: { writer, leap in
            writer.integer(leap.seconds)
            if leap.isAssumed { writer.append(UInt8(ascii: "D")) }
        }
        coder.decimal(&clockBias, decimals: 0)
        coder.decimal(&clockDrift, decimals: 3)
        coder.decimal(&pulseGranularity, decimals: 0)
    }

    /// The leap seconds as sent: `18`, or `18D` if they are a default.
    private var leap: (seconds: Int?, isAssumed: Bool) {
        get { (leapSeconds, isLeapSecondsAssumed) }
        set { (leapSeconds, isLeapSecondsAssumed) = newValue }
    }

    private static func leap(_ fields: inout FieldReader) -> (seconds: Int?, isAssumed: Bool) {
        let field = fields.next()
        let isAssumed = field.count > 1 && fields.bytes[field.end - 1] == UInt8(ascii: "D")
        let end = isAssumed ? field.end - 1 : field.end
        let value = fields.wholeNumber(field, from: field.start, to: end)
        return (value, isAssumed && value != nil)
    }
}
